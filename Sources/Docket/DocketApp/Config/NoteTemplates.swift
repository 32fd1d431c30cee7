public import CivilTime
public import DocketCore
public import DocketFormats
import FoundationEssentials

/// The user's templates of notes: the Markdown files in the folder `templates` beside the settings.
///
/// A first line `# …` is read as quick capture reads a line: it is the title, with `#tag` and
/// `+List`. In a template `{{title}}`, `{{date}}`, `{{time}}` and `{{list}}` stand for values.
public struct NoteTemplates: Sendable {
    public let folder: String

    public init(beside file: SettingsFile) {
        folder =
            URL(filePath: file.path).deletingLastPathComponent()
            .appending(path: "templates").path
    }

    /// The names of the templates, those of the files without `.md`, in alphabetical order.
    public var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(3)) }.sorted { $0.lowercased() < $1.lowercased() }
    }

    /// Reads a template; letter case does not count.
    ///
    /// - Throws: ``InputError`` if there is none of the name, or if its file cannot be read.
    public func template(_ name: String) throws(InputError) -> NoteTemplate {
        let names = names
        let wanted = name.lowercased()
        guard let found = names.first(where: { $0.lowercased() == wanted }) else {
            let others =
                names.isEmpty
                ? "it has no Markdown files" : "it has \(names.joined(separator: ", "))"
            throw InputError(
                .badReference,
                "The folder \(folder) has no template \"\(CaptureText.cleanLine(name))\"; \(others)."
            )
        }
        return NoteTemplate(try SettingsFile("\(folder)/\(found).md").text())
    }
}

/// The text of a template.
public struct NoteTemplate: Sendable {
    private let heading: String
    private let body: Substring
    /// Whether it has a place for a title that is asked for first.
    public let wantsTitle: Bool

    init(_ text: String) {
        wantsTitle = text.contains("{{title}}")
        let line = text.prefix { !$0.isNewline }
        heading = line.hasPrefix("# ") ? String(line.dropFirst(2)) : ""
        body =
            heading.isEmpty
            ? text[...] : text[line.endIndex...].dropFirst().drop(while: \.isNewline)
    }

    /// The line that names the note: the title as it was typed, or that of the template.
    public func line(title: String, _ clock: DateContext) -> String {
        if !title.isEmpty, !heading.contains("{{title}}") { return title }
        // A date of the title is not one for quick capture.
        var line = " " + heading
        for name in ["date", "time"] {
            line = line.replacing(" {{\(name)}}", with: " \\{{\(name)}}")
        }
        return filled(String(line.dropFirst()), title: title, list: "", clock)
    }

    /// The text below the title.
    ///
    /// - Parameters:
    ///   - item: what its line says; a text of its own comes last.
    ///   - list: the path of the list where it says none; empty for the inbox.
    ///   - clock: the date.
    /// - Returns: the text.
    public func text(
        of item: CapturedItem,
        list: [String] = [],
        _ clock: DateContext
    ) -> String {
        let path = item.list.isEmpty ? list : item.list
        let name = path.isEmpty ? "Inbox" : ListPath.string(path)
        let own = filled(String(body), title: item.title, list: name, clock)
        return [own, item.notes ?? ""].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private func filled(
        _ text: String,
        title: String,
        list: String,
        _ clock: DateContext
    ) -> String {
        let moment = DateFormat(context: clock).plain(DueDate(moment: clock.now))
        let values = [
            ("date", String(moment.prefix(10))), ("time", String(moment.dropFirst(11).prefix(5))),
            ("list", list), ("title", title),
        ]
        return values.reduce(text) { $0.replacing("{{\($1.0)}}", with: $1.1) }
    }
}
