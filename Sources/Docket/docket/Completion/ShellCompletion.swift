import ArgumentParser
import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph
import Synchronization

/// What a shell offers at Tab besides commands and options: names from the store, and the words of
/// searches.
///
/// The shell's script runs the program for each Tab. It says nothing else: a store that does not
/// exist, is locked or cannot be read has no names.
enum ShellCompletion {
    /// The names of the smart lists.
    static let smartLists = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            store.smartLists.filter { begins($0, word.text) }
        }
    }

    /// The paths of the lists.
    static let lists = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            store.lists.filter { begins($0, word.text) }
        }
    }

    /// The names of the tags.
    static let tags = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            store.tags.filter { begins($0, word.text) }
        }
    }

    /// The lists, tags and locations that a new item names: `+Home`, `#phone`, `@Bank`.
    static let capture = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            let text = word.text
            guard let found = CaptureCompletion(text, at: text.utf8.count, store.query) else {
                return []
            }
            if found.range.lowerBound == 0 { return found.arguments }
            let before = String(decoding: text.utf8.prefix(found.range.lowerBound), as: UTF8.self)
            // Between other words of one argument a name keeps its quotes.
            return found.candidates.map { before + $0 }
        }
    }

    /// The words of a filter.
    static let filter = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in filters(word.text, store) }
    }

    /// The fields that `docket edit` changes, and values of one.
    static let changes = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            let parts = word.text.split(separator: "=", maxSplits: 1)
            let fields = FieldChange.Field.allCases.filter {
                begins("\($0.rawValue)=", word.text) || (parts.first ?? "") == $0.rawValue
            }
            // A shell ends a word with a blank if there is only one; a field goes on with its value.
            guard fields.count == 1, let field = fields.first else {
                return fields.map { "\($0.rawValue)=" }
            }
            let whole = ([""] + store.values(of: field)).map { "\(field.rawValue)=\($0)" }
            let found = whole.dropFirst().filter { begins($0, word.text) }
            return found.isEmpty && begins(whole[0], word.text) ? [whole[0]] : found
        }
    }

    /// The names of the templates of notes.
    static let templates = CompletionKind.custom { words, index, _ in
        offerWithoutStore(words, index) { word in
            NoteTemplates.ofUser.names.filter { begins($0, word.text) }
        }
    }

    /// The names of the settings.
    static let settings = CompletionKind.custom { words, index, _ in
        offerWithoutStore(words, index) { word in
            let settings = Settings(environment: ProcessInfo.environment)
            return Setting.all(settings).map(\.name).filter { begins($0, word.text) }
        }
    }

    /// The values of the setting before them.
    static let settingValues = CompletionKind.custom { words, index, _ in
        offerWithoutStore(words, index) { word in
            guard words.indices.contains(index - 1), let setting = Setting.named(words[index - 1])
            else { return [] }
            return setting.choices.filter { begins($0, word.text) }
        }
    }

    /// The first word of `docket list` may be a list; all of them may be a filter.
    static let listed = CompletionKind.custom { words, index, _ in
        offer(words, index) { word, store in
            let command = words.firstIndex(of: "list") ?? 0
            let before = words[min(command + 1, words.count)..<min(index, words.count)]
            let isFirst = word.isSplit || !hasArgument(before)
            let names = isFirst ? store.smartLists.filter { begins($0, word.text) } : []
            return names + filters(word.text, store)
        }
    }

    /// The options of `docket list` with a value.
    private static let valued = ["--store", "--list", "--tag", "--where", "--limit"]

    /// Whether some words have one that is neither an option nor its value.
    private static func hasArgument(_ words: ArraySlice<String>) -> Bool {
        var previous = ""
        for word in words {
            // Bash takes the sign of `--store=path` for a word.
            if word == "=" { continue }
            if !word.hasPrefix("-"), !valued.contains(previous) { return true }
            previous = word
        }
        return false
    }

    /// A generated script with what it lacks: the words behind `docket help`.
    static func completed(_ script: String, helpWords: [String]) -> String {
        let words = helpWords.joined(separator: " ")
        if script.hasPrefix("#compdef ") {
            return completed(zsh: script).replacing("'*:subcommands:'", with: "':topic:(\(words))'")
        }
        if script.hasPrefix("#!/bin/bash") {
            return completed(bash: script).replacing(
                "_docket_help() {\n",
                with: "_docket_help() {\n    COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n"
            )
        }
        return script + """

            complete -c 'docket' -n '__docket_should_offer_completions_for_positional "docket help" \
            -eq 1' -fka '\(words)'
            """
    }

    /// The script for Bash with what follows an option also where Bash takes `--list=Ho` and `a:b` for
    /// three words, and with candidates that begin with another text than the typed one.
    private static func completed(bash script: String) -> String {
        script.replacing(
            "    local -r prev=\"${3}\"\n",
            with: #"""
                    local prev="${3}"
                    local -i sign="${COMP_CWORD}"
                    [[ "${COMP_WORDS[sign]}" = [@:=] ]] || ((sign--))
                    while [[ "${sign}" -gt 1 && "${COMP_WORDS[sign]}" = [@:=] ]]; do
                        if [[ "${COMP_WORDS[sign]}" = @ || "${COMP_WORDS[sign - 1]}" = --* ]]; then
                            prev="${COMP_WORDS[sign - 1]}"
                            break
                        fi
                        ((sign -= 2))
                        prev="${COMP_WORDS[sign]}"
                    done

                """#
        ).replacing(
            "\n_docket() {\n",
            with: #"""

                __docket_add_offered() {
                    local completion
                    while IFS='' read -r completion; do
                        COMPREPLY+=("${completion}")
                    done < <(IFS=$'\n' compgen "${@}")
                }

                _docket() {

                """#
        ).replacing(
            "__docket_add_completions -W \"$(__docket_custom_complete",
            with: "__docket_add_offered -W \"$(__docket_custom_complete"
        )
    }

    /// The script for zsh with values behind the sign of `--list=Ho`, and candidates that begin with
    /// another text than the typed one, `tag:"Big garden"` for `tag:Big`.
    private static func completed(zsh script: String) -> String {
        script.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            // An option with a value: '--list[help]:list:…'
            let text = line.drop { $0 == " " || $0 == "'" || $0 == "*" }
            if text.hasPrefix("--"), line.contains("]:"), let place = line.firstIndex(of: "[") {
                return "\(line[..<place])=\(line[place...])"
            }
            // The program offers only what fits.
            return String(line).replacing(
                "__docket_complete \"${completions[@]:0:-1}\"",
                with: "completions[-1]=(); _describe -V '' completions -U -i \"${IPREFIX}\""
            )
        }.joined(separator: "\n")
    }

    // MARK: Candidates

    private static func begins(_ name: String, _ typed: String) -> Bool {
        name.lowercased().hasPrefix(typed.lowercased())
    }

    /// The filters that begin like a word: names of fields, and the values of one.
    private static func filters(_ typed: String, _ store: Names) -> [String] {
        if typed.isEmpty { return QueryField.table.map { "\($0.name):" } }
        let found = completions(of: typed, store)
        // A shell ends a word with a blank if there is only one; a field goes on with its value.
        guard found.count == 1, let field = found.first, field.hasSuffix(":") else { return found }
        let values = completions(of: field, store)
        return values.isEmpty ? found : values
    }

    private static func completions(of typed: String, _ store: Names) -> [String] {
        guard let filter = try? ItemFilter(typed, store.query, store.clock),
            let completion = QueryCompletion(
                filter,
                at: typed.utf8.count,
                store.query,
                most: .max,
                count: { _ in nil }
            )
        else { return [] }
        return completion.candidates.map { completion.completed(typed, with: $0) }
    }

    /// The candidates for a word as the shell takes them.
    private static func offer(
        _ words: [String],
        _ index: Int,
        _ candidates: (CompletedWord, Names) -> [String]
    ) -> [String] {
        offerWithoutStore(words, index) { candidates($0, Names(words)) }
    }

    private static func offerWithoutStore(
        _ words: [String],
        _ index: Int,
        _ candidates: (CompletedWord) -> [String]
    ) -> [String] {
        let word = CompletedWord(words, index)
        return candidates(word).filter(word.canBecome).map { word.shellText(of: $0) }
    }

    // MARK: Names

    /// What the store of a command line has.
    private struct Names: Sendable {
        private(set) var smartLists = SmartList.table.map(\.id)
        private(set) var table = QueryNames.Table()
        let clock: DateContext

        var query: QueryNames { QueryNames(table) }
        var lists: [String] { query.lists.map { ListPath.string($0.path) } }
        var tags: [String] { query.tags.map(\.name) }

        /// Values of a field that are known or usual.
        func values(of field: FieldChange.Field) -> [String] {
            switch field {
            case .list: lists
            case .tags: tags
            case .location: query.locations.map(\.name)
            case .due, .start: ["today", "tomorrow"]
            case .repeats: ["every day", "every week", "every month", "every year"]
            case .remind: ["1 day before", "1 week before", "2 h before", "none"]
            case .postpone: ["+1d", "+1w", "tomorrow", "weekend", "next week", "someday"]
            case .priority: ["none", "low", "medium", "high"]
            case .done, .flagged: ["yes", "no"]
            case .title, .notes, .body, .estimate, .parent, .waits, .blocks: []
            }
        }

        /// How long Tab may take, if another program holds the store.
        private static let patience = Duration.seconds(1)

        init(_ words: [String]) {
            let clock = SystemClock(environment: ProcessInfo.environment).context
            self.clock = clock
            guard let file = Names.file(words), access(file.path, R_OK) == 0 else { return }
            let reading = Reading()
            ContextThread(name: "completion").later { reading.read(file, clock) }
            guard reading.isOver.wait(atMost: Names.patience),
                let found = reading.found.withLock({ $0 })
            else { return }
            smartLists += found.saved
            table = found.table
        }

        /// The names of a store, which another thread reads.
        private final class Reading: Sendable {
            let found = Mutex<(saved: [String], table: QueryNames.Table)?>(nil)
            let isOver = Completion()

            func read(_ file: URL, _ clock: DateContext) {
                defer { isOver.signal() }
                guard
                    let library = try? Library(
                        url: file,
                        author: "shell",
                        isReadOnly: true,
                        clock: { clock }
                    )
                else { return }
                defer { library.close() }
                guard let lists = try? library.smartLists(),
                    let table = try? QueryNames(library).table()
                else { return }
                let saved = lists.all.filter { !$0.isBuiltIn }.map(\.title)
                found.withLock { $0 = (saved, table) }
            }
        }

        /// The store that the words name, or the usual one.
        private static func file(_ words: [String]) -> URL? {
            var location = StoreLocation()
            location.path = nil
            if let place = words.firstIndex(where: { $0 == "--store" || $0.hasPrefix("--store=") })
            {
                var rest = words[place...].dropFirst()
                // Bash takes the sign for a word.
                if rest.first == "=" { rest = rest.dropFirst() }
                location.path =
                    words[place] == "--store"
                    ? rest.first.map(CompletedWord.plain)
                    : CompletedWord.plain(String(words[place].dropFirst("--store=".count)))
            }
            return try? location.file()
        }
    }
}

private struct CompletedWord {
    /// What the word means so far, without the shell's signs.
    let text: String
    /// The part of it that the shell does not replace.
    private let fixed: String
    /// Whether the shell has taken the word apart.
    let isSplit: Bool
    /// Whether the shell takes the rest of the word literally.
    private let isLiteral: Bool

    /// - Parameters:
    ///   - words: those of the command line, as they were typed.
    ///   - index: the place of the word.
    init(_ words: [String], _ index: Int) {
        func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }
        let typed = word(index)
        isLiteral = typed.hasPrefix("'")
        // Bash takes `tag:home` and `due=fri` for three words.
        func isSign(_ word: String) -> Bool { word == ":" || word == "=" }
        let place = isSign(typed) ? index : index - 1
        let isBash = CompletionShell.requesting == .bash
        if isBash, typed == "@" || word(index - 1) == "@" {
            // It replaces the sign too.
            fixed = ""
            text = typed == "@" ? typed : "@" + CompletedWord.plain(typed)
            isSplit = false
        } else if isBash, isSign(word(place)),
            !(word(place) == "=" && word(place - 1).hasPrefix("-"))
        {
            let location = word(place - 2) == "@" ? "@" : ""
            fixed = location + CompletedWord.plain(word(place - 1)) + word(place)
            text = fixed + (place == index ? "" : CompletedWord.plain(typed))
            isSplit = true
        } else {
            fixed = ""
            let plain = isBash && isSign(typed) ? "" : CompletedWord.plain(typed)
            // Fish completes what follows the sign of `--list=Ho`.
            let value = plain.hasPrefix("--") ? plain.firstIndex(of: "=") : nil
            text = value.map { String(plain[plain.index(after: $0)...]) } ?? plain
            isSplit = false
        }
    }

    /// A word without quotes and backslashes.
    static func plain(_ word: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if character == quote {
                quote = nil
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Whether the shell can pass a name on as it is: not as an option, without control characters,
    /// which end a candidate, and in Bash and Zsh without signs that they would expand, because they
    /// write them into the command line without a backslash.
    func canBecome(_ name: String) -> Bool {
        if name.hasPrefix("-") { return false }
        let expanded =
            switch CompletionShell.requesting {
            case .bash?: "$`"
            case .zsh?: "!"
            default: ""
            }
        if !isLiteral, name.contains(where: expanded.contains) { return false }
        return name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// A candidate as the shell's script needs it so that the shell takes it literally.
    func shellText(of candidate: String) -> String {
        let rest = candidate.hasPrefix(fixed) ? String(candidate.dropFirst(fixed.count)) : candidate
        switch CompletionShell.requesting {
        // The script passes candidates through an expansion.
        case .bash?: return "'\(rest.replacing("'", with: "'\\''"))'"
        // What follows a colon is a description.
        case .zsh?: return rest.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: return rest
        }
    }
}
