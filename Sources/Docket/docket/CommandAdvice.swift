import ArgumentParser
import SearchLanguage

/// The advice for a command or an option that does not exist.
enum CommandAdvice {
    /// The greatest number of words of a command line; the parser's time grows with their square.
    private static let mostWords = 4000

    static var commands: [String] {
        Docket.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// What `docket help` takes: the topics of the manual, and the commands without one of their name.
    static var helpWords: [String] {
        let topics = Manual.names
        return topics + (commands + ["help"]).filter { !topics.contains($0) }
    }

    /// The words of a command line from its command on; none if an option is before it that is not
    /// one of `docket` with a value, about which the parser says more.
    static func words(of arguments: [String]) -> ArraySlice<String> {
        var words = arguments.dropFirst()
        while let option = words.first, option.hasPrefix("-") {
            guard ["--store", "--export"].contains(option.prefix { $0 != "=" }) else { return [] }
            words = words.dropFirst(option.contains("=") ? 1 : 2)
        }
        return words
    }

    /// The message for a command line with too many words, or for help about something unknown;
    /// `nil` for others.
    static func refusal(of arguments: [String]) -> String? {
        let count = arguments.count - 1
        if count <= mostWords { return onHelp(words(of: arguments)) }
        return "Error: A command line takes at most \(mostWords) words, not \(count). Items can be "
            + "written as ranges (3-7), text passed on standard input (docket add -)."
    }

    /// The message for `help` with a word that is neither a topic nor a command.
    private static func onHelp(_ words: ArraySlice<String>) -> String? {
        guard words.count == 2, words.first == "help", let word = words.last,
            !word.hasPrefix("-"), !helpWords.contains(word)
        else { return nil }
        let meant = nearest(to: word, among: helpWords).map { " Did you mean '\($0)'?" } ?? ""
        return "Error: '\(word)' is neither a topic nor a command.\(meant)\n"
            + "  'docket help' lists both."
    }

    /// The message for a command line with an unknown subcommand; `nil` if its error is another
    /// one.
    static func onCommand(_ arguments: [String]) -> String? {
        guard let word = words(of: arguments).first, word != "help", !commands.contains(word) else {
            return nil
        }
        let likely = otherCommands[word.lowercased()] ?? nearest(to: word, among: commands)
        let meant = likely.map { " Did you mean '\($0)'?" } ?? ""
        return "Error: '\(word)' is not a command.\(meant)\n"
            + "  'docket --help' lists the commands."
    }

    /// Whether a word of a text looks like an option: one or two dashes, then a name.
    ///
    /// A name begins with a letter, so `-5` and `->` do not.
    static func isOption(_ word: String) -> Bool {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        let dashes = word.utf8.count - word.drop { $0 == "-" }.utf8.count
        guard dashes == 1 || dashes == 2, let first = name.first else { return false }
        return first.isASCII && first.isLetter
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// The sentence for an unknown option of `docket add`.
    static func onOptionOfAdd(_ word: String) -> String {
        let name = String(word.prefix { $0 != "=" })
        let advice: String
        if let option = otherOptions[name] {
            advice = "Did you mean '\(option)'?"
        } else if let near = nearest(to: name, among: optionsOfAdd) {
            advice = "Did you mean '\(near)'?"
        } else {
            advice = "Write text that begins with a dash after --."
        }
        return "Unknown option '\(name)'. \(advice)"
    }

    /// What other programs call the commands.
    private static let otherCommands = [
        "delete": "trash", "del": "trash", "rm": "trash", "remove": "trash", "ls": "list",
        "all": "list", "next": "list", "complete": "done", "finish": "done", "do": "done",
        "check": "done", "reopen": "undone", "new": "add", "create": "add", "log": "history",
        "modify": "edit", "mod": "edit", "change": "edit", "set": "edit", "rename": "edit",
        "find": "search", "grep": "search", "info": "show", "view": "show", "open": "show",
        "undelete": "restore", "untrash": "restore", "dump": "export", "load": "import",
        "repair": "doctor", "fsck": "doctor", "password": "vault", "passwords": "vault",
    ]

    private static let optionsOfAdd = [
        "--note", "--notes", "--store", "--help", "--plain", "--due", "--start", "--priority",
        "--list", "--tag", "--every", "--json", "--id-only",
    ]

    /// Names of these options in other programs.
    private static let otherOptions = [
        "--pri": "--priority", "--date": "--due", "--project": "--list", "--recur": "--every",
    ]

    /// The most similar of some names, if it is similar enough to be the intended one; one that begins
    /// with the word goes before all others.
    static func nearest(to word: String, among names: [String]) -> String? {
        let limit = word.utf8.count < 4 ? 1 : 2
        return
            names
            .map { name in
                let isBeginning = name.hasPrefix(word) && word.utf8.count > 1
                return (name: name, steps: isBeginning ? 0 : Spelling.steps(from: word, to: name))
            }
            .filter { $0.steps <= limit }
            .min { $0.steps < $1.steps }?.name
    }
}
