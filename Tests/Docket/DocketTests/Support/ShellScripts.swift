/// What shells do until they are killed; each notes in its log what was acknowledged.
enum ShellScripts {
    /// Mixed commands on items of its own; each line of output names the item.
    ///
    /// Its arguments are a name and the number of its first item.
    static let edits = """
        name=$1
        i=$2
        while :; do
            line=$("$docket" add "$name-$i") || exit 1
            echo "$line" >> "log-$name" || exit 1
            id=${line%% *}
            "$docket" list > /dev/null || exit 1
            "$docket" done "$id" > "part-$name" && echo "done $id" >> "log-$name" || exit 1
            "$docket" edit "$id" "title=$name-$i edited" > "part-$name" || exit 1
            echo "edited $id" >> "log-$name" || exit 1
            i=$((i + 1))
        done
        """
}
