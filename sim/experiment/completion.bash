# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bash completion for selvedge-sim
_selvedge_sim() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  local choices=""
  COMPREPLY=()
  case $before in
    --out | --claims | --script | --pcap | --trace | --write-qos-policy)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    --set)
      compopt -o nospace
      choices="fabric.spec= routing.engine= routing.tables= model.preset= traffic.pattern= traffic.load= measure.duration_us= measure.warmup_us= run.seed="
      ;;
    --clock) choices="free manager" ;;
    --model) choices="single last-step none" ;;
    --absorb) choices="improved after-both" ;;
    --traffic) choices="worst random file:" ;;
    --first) choices="mod semi-random" ;;
    --preset) choices="thesis martinez gomez zahavi kim ndr" ;;
    --pattern) choices="uniform bit-reversal bit-complement perfect-shuffle transpose tornado shift neighbour hot-spot hot-sources same-digit permutations all-to-all ring-allreduce trace io" ;;
    --policy) choices="shared same linear log" ;;
    --destinations | --packet-bytes | --jobs | --part | --fabric | --socket | --smp-timeout-ms | --gmp-timeout-ms | --retries | --seed | --fault | --runs | --warm-up-us | --timeout-s | --manager-speed | --managers | --disks | --load | --payload-bytes | --engine | --opensm-line | --plugin-toml | --rate-gbps | --fail | --permutations | --iterations) return ;;
    *)
      case $COMP_CWORD:$verb in
        1:*) choices="run report reproduce emulate console compare-sm vlarb clos --help --version" ;;
        *:run) choices="--help --version --set --out --jobs --allow-unproved --part --json" ;;
        *:report) choices="--help --version --out" ;;
        *:emulate) choices="--help --version --fabric --socket --script --pcap --free-running --clock --manager-speed --managers --preset --pattern --trace --disks --load --payload-bytes --smp-timeout-ms --gmp-timeout-ms --retries --seed --json" ;;
        *:console) choices="--help --version --socket help report cut heal kill revive flap loss drop double traffic paths wait Unlink ReLink Clear Error Dump quit" ;;
        *:compare-sm) choices="--help --version --fabric --fault --engine --drain --runs --manager-speed --preset --pattern --trace --disks --load --payload-bytes --warm-up-us --timeout-s --opensm-line --plugin-toml --seed --json" ;;
        *:vlarb) choices="--help --version --policy --destinations --packet-bytes --json" ;;
        *:clos) choices="--help --version --fabric --rate-gbps --fail --model --absorb --traffic --permutations --first --iterations --seed --write-qos-policy --json" ;;
        *:reproduce) choices="--help --version --all --list --quick --claims --out --jobs --json" ;;
      esac
      case $verb:$word in
        run:-* | report:-* | reproduce:* | emulate:* | console:* | compare-sm:* | vlarb:* | clos:*) ;;
        run:* | report:*)
          if [ "$COMP_CWORD" -gt 1 ]; then
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
          fi
          ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}
complete -F _selvedge_sim selvedge-sim
