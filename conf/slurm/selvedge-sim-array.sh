#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# An experiment as a Slurm job array. PARTS is how many parts its points are dealt into; task I
# simulates part I, so the array's numbers are 0 to PARTS - 1:
#
#   sbatch --array=0-15 conf/slurm/selvedge-sim-array.sh 16 torus.toml DIR
#
# A task that failed or was killed is submitted again by its number, with the same PARTS; what it
# had finished is kept:
#
#   sbatch --array=5 conf/slurm/selvedge-sim-array.sh 16 torus.toml DIR
#
# and when all have ended, the parts into one:
#
#   selvedge-sim run torus.toml --out DIR
#
# The folder must be one that all nodes see.
#SBATCH --job-name=selvedge-sim
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --output=selvedge-sim-%A_%a.log
set -euo pipefail
refuse() {
  echo "error: $1: $2: $3" >&2
  exit 2
}
usage="sbatch --array=0-N selvedge-sim-array.sh PARTS FILE.toml DIR [OPTION...], where PARTS = N + 1"
[ $# -ge 3 ] || refuse "arguments are missing" "$# are given" "$usage"
parts=$1 file=$2 out=$3
shift 3
[[ $parts =~ ^[1-9][0-9]{0,5}$ ]] || refuse "PARTS is no number from 1 to 999999" "'$parts'" "$usage"
task=${SLURM_ARRAY_TASK_ID:-}
[ -n "$task" ] || refuse "this is no task of a job array" "SLURM_ARRAY_TASK_ID is not set" "$usage"
if [ "${SLURM_ARRAY_TASK_STEP:-1}" -ne 1 ]; then
  refuse "the array has a stride" "--array=…:$SLURM_ARRAY_TASK_STEP" "name every part: --array=0-$((parts - 1))"
fi
if [ "$task" -ge "$parts" ]; then
  refuse "there is no such part" "task $task of $parts parts" "write --array=0-$((parts - 1)), or more PARTS"
fi
exec selvedge-sim run "$file" --out "$out" --part "$task/$parts" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@"
