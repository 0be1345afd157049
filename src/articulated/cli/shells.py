"""Completion scripts for bash, zsh and fish, which ask `articulated` for candidates.

The program answers where _ARTICULATED_COMPLETE is set (click's protocol): "plain,WORD" to bash and fish, to fish with a
tab and what it is about, to zsh three lines, of which the last is that, or _.  After a folder, FOLDER/, comes no space.
"""

BASH = r"""_articulated_completion() {
    local offered word begun=${COMP_WORDS[COMP_CWORD]} special='[^[:alnum:]_./,:@%+=-]'
    mapfile -t offered < <(
        COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _ARTICULATED_COMPLETE=bash_complete "$1"
    )
    COMPREPLY=()
    for word in "${offered[@]#*,}"; do
        [[ -z $word ]] && continue
        if [[ $begun == *[\"\']* ]]; then
            [[ ${word// /} == *$special* ]] && continue  # it could end the quotes
        elif [[ $word == *$special* ]]; then
            printf -v word %q "$word"
            [[ $begun == \~* ]] && word=${word#\\}
        fi
        COMPREPLY+=("$word")
    done
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace
    fi
}
complete -o nosort -F _articulated_completion articulated
"""

ZSH = r"""#compdef articulated
_articulated_completion() {
    local -a offered plain folders described
    local kind word about
    offered=("${(@f)$(
        COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) _ARTICULATED_COMPLETE=zsh_complete articulated
    )}")
    for kind word about in "${offered[@]}"; do
        if [[ $word == */ ]]; then
            folders+=("$word")
        elif [[ $about == _ ]]; then
            plain+=("$word")
        elif [[ -n $word ]]; then
            described+=("${word//:/\\:}:$about")
        fi
    done
    (( $#described )) && _describe -V commands described -U
    (( $#folders )) && compadd -U -S '' -V folders -a folders
    (( $#plain )) && compadd -U -V words -a plain
    (( $#described + $#folders + $#plain ))
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _articulated_completion "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _articulated_completion articulated
fi
"""

FISH = r"""function _articulated_completion
    set -l asked COMP_WORDS=(commandline -cp | string collect) COMP_CWORD=(commandline -ct | string collect)
    for offered in (env _ARTICULATED_COMPLETE=fish_complete $asked articulated)
        string replace --regex '^[a-z]*,' '' -- $offered
    end
end
complete --no-files --command articulated --arguments '(_articulated_completion)'
"""

#: the script of each shell, and the line that runs it in the file the shell reads at its start
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
LINES = {
    "bash": 'eval "$(articulated completion bash)"',
    "zsh": 'eval "$(articulated completion zsh)"',
    "fish": "articulated completion fish | source",
}
