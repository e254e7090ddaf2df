#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# An experiment as a Slurm job array, each task a part of the points:
#
#   sbatch --array=0-15 conf/slurm/selvedge-sim-array.sh torus.toml DIR
#
# and when all have ended, the parts into one:
#
#   selvedge-sim run torus.toml --out DIR
#
# A task that failed or was killed may be submitted again: what it had finished is kept. The folder
# must be one that all nodes see.
#SBATCH --job-name=selvedge-sim
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --output=selvedge-sim-%A_%a.log
set -euo pipefail
file=${1:?usage: sbatch --array=0-N selvedge-sim-array.sh FILE.toml DIR [OPTION...]}
out=${2:?usage: sbatch --array=0-N selvedge-sim-array.sh FILE.toml DIR [OPTION...]}
shift 2
part=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))
exec selvedge-sim run "$file" --out "$out" --part "$part/$SLURM_ARRAY_TASK_COUNT" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@"
