import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

extension Workspace {
    /// Offers pasted text as new tasks: one line opens the capture line with it.
    func receive(pasted text: String) {
        if let noNewItem { return tell("\(noNewItem)", .warning) }
        let item =
            (pane as? ReaderPane)?.item ?? (paneKind.takes.contains(.items) ? items.selected : nil)
        if let files = PastedFiles(text), let item {
            let id = item.objectID
            return open(
                QuestionBox(
                    "Paste",
                    "The pasted text names \(files.words).",
                    [
                        .init(key: "a", title: localized("Attach to \(quoted(item.title))")) {
                            workspace in
                            try workspace.attach(files, to: id)
                        },
                        .init(key: "t", title: localized("Add a task from the text")) { workspace in
                            workspace.capture(pasted: text)
                        },
                    ]
                )
            )
        }
        capture(pasted: text)
    }

    private func attach(_ files: PastedFiles, to id: ManagedObjectID) throws {
        try library.refresh()
        guard let item = try? library.context.existingObject(with: id) as? Item else {
            throw InputError(.conflict, "The item was deleted meanwhile; nothing was attached.")
        }
        let step = try library.attach(files.paths, to: item)
        library.context.processPendingChanges()
        tell(step, unchanged: "Nothing was attached")
    }

    private func capture(pasted text: String) {
        let lines = PastedLines(text)
        if lines.texts.isEmpty { return tell("The pasted text is empty.") }
        do {
            let bar = CaptureBar(workspace: self)
            bar.field.insert(lines.texts[0])
            try bar.textDidChange(in: self)
            open(bar)
            if lines.texts.count > 1 { bar.ask(about: lines, in: self) }
        } catch {
            tell(error)
        }
    }
}

/// The lines of a pasted text that say something.
struct PastedLines {
    let texts: [String]

    init(_ text: String) {
        texts = text.split(whereSeparator: \.isNewline).map { line in
            var rest = DisplayWidth.singleLine(String(line))[...]
            while rest.first?.isWhitespace ?? false { rest.removeFirst() }
            while rest.last?.isWhitespace ?? false { rest.removeLast() }
            return String(rest)
        }.filter { !$0.isEmpty }
    }
}

/// The files whose paths were pasted, as terminals do it for files that are dropped on them: quoted,
/// with backslashes, or as `file:` addresses.
struct PastedFiles {
    /// Absolute; each leads to a file.
    let paths: [String]

    private static let longest = 16_384

    /// - Returns: `nil` for a text that has anything else.
    init?(_ text: String) {
        guard text.utf8.count < Self.longest, let line = PastedLines(text).texts.first,
            "/~'\"f".contains(line.prefix(1))
        else { return nil }
        let texts = PastedLines(text).texts
        let found = [texts, texts.flatMap(Self.words)].lazy.map { $0.map(Self.path) }
            .first { $0.allSatisfy { $0.hasPrefix("/") && (try? PlainFile($0)) != nil } }
        guard let found, !found.isEmpty else { return nil }
        paths = found
    }

    /// What they are, for a sentence.
    var words: String {
        let name = paths[0].split(separator: "/").last.map(String.init) ?? paths[0]
        return paths.count == 1
            ? localized("the file \"\(CaptureText.cleanLine(name))\"")
            : localized("\(paths.count) files")
    }

    private static func path(_ word: String) -> String {
        if word.hasPrefix("file://"), let url = URL(string: word) { return url.path }
        return UserPath.expanded(word)
    }

    /// The words of a line as a shell divides it.
    private static func words(_ line: String) -> [String] {
        var words = [""]
        var quote: Character?
        var isEscaped = false
        for sign in line {
            switch sign {
            case _ where isEscaped:
                words[words.count - 1].append(sign)
                isEscaped = false
            case "\\" where quote != "'": isEscaped = true
            case _ where sign == quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil: quote = sign
            case " " where quote == nil: words.append("")
            default: words[words.count - 1].append(sign)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
