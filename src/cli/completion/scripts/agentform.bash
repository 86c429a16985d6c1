# Completion of agentform for bash 4 and later.
_agentform() {
  local -a reply=()
  COMPREPLY=()
  mapfile -t reply < <(
    command agentform completion bash -- "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null
  )
  case ${reply[0]-} in
    words)
      COMPREPLY=("${reply[@]:1}")
      if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
      ;;
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
  esac
  return 0
}
if (( BASH_VERSINFO[0] >= 4 )); then complete -F _agentform agentform; fi
