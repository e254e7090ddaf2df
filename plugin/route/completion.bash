# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bash completion for selvedge-route
_selvedge_route() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  local shared="--help --version --fabric --fail --json"
  local engine="--engine --lmc --max-vls --max-sls --fill-vls --root --tree --paper --roots --compute-nodes --io-nodes"
  local choices=""
  COMPREPLY=()
  case $before in
    --engines)
      compopt -o nospace
      choices="updn spf tftr spftr aspftr dmodk ist multipath tree martinez dor balanced auto"
      ;;
    --engine) choices="updn spf tftr spftr aspftr dmodk ist multipath tree martinez dor balanced auto" ;;
    --tree) choices="best bfs dfs" ;;
    --replies) choices="own-sl base same-sl" ;;
    --guard) choices="on off" ;;
    --repair) choices="rftr" ;;
    --repair-mode) choices="in-place readdress" ;;
    --of | --each) choices="links switches" ;;
    --fabric)
      compopt -o nospace
      choices="torus: mesh: tree: clos: xgft: irregular: random-regular: hyperx: dragonfly: slimfly: file:"
      ;;
    --tables | --lfts | --out | --html | --roots | --compute-nodes | --io-nodes | --from | --to | --write | --svg | --socket | --pairs)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    --lmc | --max-vls | --max-sls | --disjoint | --root | --fail | --fault | --faults | --sample | --seed | --permutations | --jobs | --deadline-ms | --ca | --port | --rate) return ;;
    *)
      case $COMP_CWORD:$verb in
        1:*) choices="fabric compute compare capture verify faults repair paths status drain undrain reroute transition engines --help --version" ;;
        *:fabric) choices="$shared --write --svg --roots --compute-nodes --io-nodes" ;;
        *:compute) choices="$shared $engine --tables --lfts --replies --repair --repair-mode --leave-unbroken --healed --permutations --seed --deadline-ms" ;;
        *:compare) choices="$shared --roots --compute-nodes --io-nodes --engines --tables --lmc --max-vls --max-sls --fill-vls --replies --permutations --seed --html" ;;
        *:capture) choices="--help --version --out --ca --port --rate --seed --json" ;;
        *:verify) choices="$shared $engine --tables --disjoint --replies --any-sl" ;;
        *:repair) choices="$shared $engine --replies --repair-mode --leave-unbroken --healed" ;;
        *:faults)
          choices="$shared $engine --tables --replies --faults --of --all --sample --seed --symmetry --repair --repair-mode --leave-unbroken --jobs"
          ;;
        *:paths) choices="$shared $engine --tables --socket --replies --svg --apm --pairs" ;;
        *:status) choices="--help --version --socket --check --json" ;;
        *:drain) choices="--help --version --socket --json --with-hosts" ;;
        *:undrain) choices="--help --version --socket --json --all" ;;
        *:reroute) choices="--help --version --socket --json --engine" ;;
        *:transition) choices="--help --version --fabric --from --to --fault --guard --lossless --each --states --jobs --replies $engine --json" ;;
        *:engines) choices="--help --version --json" ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}
complete -F _selvedge_route selvedge-route
