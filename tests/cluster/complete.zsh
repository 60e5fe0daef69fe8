# SPDX-License-Identifier: Apache-2.0
#
# What a zsh at a terminal makes of a line when Tab is pressed at its end: complete.zsh SCRIPT LINE prints the line then.
# SCRIPT is what `madangctl completion zsh` wrote.
zmodload zsh/zpty || exit 2
typeset -i PATIENCE=300 # tenths of a second
zpty terminal zsh -f -i

# Writes a line and reads until what comes has a pattern in it.
read_until() {
  local -i tries=0
  said=''
  while [[ $said != *$~1* ]]; do
    (( tries++ < PATIENCE )) || { print -u2 -r -- "in vain: $1, said: $said"; exit 1 }
    if zpty -r -t terminal part; then said+=$part; else sleep 0.1; fi
  done
}

# Ctrl-X tells what stands on the line and leaves.
zpty -w terminal "PROMPT='' PS2='' TERM=dumb; unsetopt zle_bracketed_paste; unset zle_bracketed_paste
autoload -Uz compinit && compinit -u -D
source ${(q)1}
tell() { print -r -- \"<<\$BUFFER>>\"; exit 0 }
zle -N tell; bindkey '^X' tell; bindkey '^I' complete-word; print begun-\$((40+2))"
read_until 'begun-42'
zpty -n -w terminal "$2"$'\t\C-X'
read_until '<<*>>'
said=${said#*<<}
print -r -- "${said%%>>*}"
zpty -d terminal
