# Completion of agentform for fish.
function __agentform_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l reply (command agentform completion fish -- $before "$current" 2>/dev/null </dev/null)
    switch "$reply[1]"
        case words
            set -e reply[1]
            string join -- \n $reply
        case files folders
            set -l option (string match -r -- '^--[^=]*=' "$current")
            set -l path (string replace -r -- '^--[^=]*=' '' "$current")
            # What fish itself completes for a command that it does not know: files.
            set -l found (complete -C "agentform-files $path")
            test "$reply[1]" = folders; and set found (string match -r -- '.*/$' $found)
            string join -- \n "$option"$found
    end
end
complete -c agentform -e
complete -c agentform -f -a '(__agentform_complete)'
