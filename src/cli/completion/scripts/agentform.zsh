#compdef agentform
# Completion of agentform for zsh.
_agentform() {
  local -a reply texts shown open
  reply=("${(@f)$(
    command agentform completion zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null
  )}")
  case $reply[1] in
    words)
      shift reply
      open=("${(@M)reply:#*=}")
      reply=("${(@)reply:#*=}")
      texts=("${(@)reply%%$'\t'*}")
      shown=("${(@)reply/$'\t'/  -- }")
      (( $#open )) && compadd -S '' -a -- open
      if [[ $reply[1] == *$'\t'* ]]; then
        compadd -l -d shown -a -- texts
      elif (( $#texts )); then
        compadd -a -- texts
      fi
      ;;
    files|folders)
      # A folder with a substitution in its name would be expanded to look into it.
      [[ $PREFIX == *('$('|'`')* ]] && return 1
      [[ $PREFIX == --*=* ]] && compset -P '*='
      if [[ $reply[1] == folders ]]; then _files -/; else _files; fi
      ;;
    *) return 1 ;;
  esac
}
if [[ $funcstack[1] == _agentform ]]; then
  _agentform "$@"
elif (( $+functions[compdef] )); then
  compdef _agentform agentform
fi
