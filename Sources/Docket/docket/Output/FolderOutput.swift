import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import MarkdownFolder
import ObjectGraph
import TerminalUI

/// A folder of Markdown files of the settings, in the shell: `lists/Recipes`, and below it
/// `lists/Recipes/soups/leek.md`.
struct FolderOutput {
    static let prefix = "lists/"

    private let library: FolderLibrary
    private let entry: FolderEntry

    /// Opens what an address names.
    ///
    /// - Throws: `InputError` if there is nothing with the address, or the error of the folder.
    init(_ address: String) throws {
        let settings = Settings(environment: ProcessInfo.environment)
        let rest = address.dropFirst(FolderOutput.prefix.count)
        let name = rest.prefix { $0 != "/" }
        let path = String(rest.dropFirst(name.count).drop { $0 == "/" })
        guard let folder = settings.folders.first(where: { $0.name == name }) else {
            let names = settings.folders.map { FolderOutput.prefix + $0.name }
            let known =
                names.isEmpty
                ? "[folders] in config.toml names folders"
                : "they are \(names.joined(separator: ", "))"
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(String(name)))\" is not a folder of the settings; \(known)."
            )
        }
        library = try FolderLibrary(url: URL(filePath: folder.path, directoryHint: .isDirectory))
        guard
            let found = try library.entry(at: path.hasSuffix("/") ? String(path.dropLast()) : path)
        else {
            throw InputError(
                .badReference,
                "There is nothing at \"\(CaptureText.cleanLine(path))\" in \(FolderOutput.prefix)\(name)."
            )
        }
        entry = found
    }

    // MARK: Lists

    /// Prints what is in the folder, folders first.
    ///
    /// - Throws: `InputError` for a note, or the error of the folder.
    func printList(limit: Int?, json: Bool) throws {
        guard let folder = entry as? Folder else {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(entry.path))\" is a note; docket show shows it."
            )
        }
        let rows = try library.entries(of: folder)
        let count = min(limit ?? rows.count, rows.count)
        if json { try Console.write(Array("[".utf8)) }
        for row in 0..<count {
            let entry = rows.object(at: .init(item: row))
            if json {
                var bytes: [UInt8] = Array((row == 0 ? "\n" : ",\n").utf8)
                JSONText.append(FolderOutput.members(entry), to: &bytes)
                try Console.write(bytes)
            } else {
                try Console.print(FolderOutput.line(entry))
            }
        }
        if json { try Console.write(Array((count == 0 ? "]\n" : "\n]\n").utf8)) }
        if count == 0, !json, Console.isTerminal {
            Console.note("There is no Markdown file in this folder.")
        }
    }

    private static func line(_ entry: FolderEntry) -> String {
        guard let document = entry as? Document else {
            return "▸ \(DisplayWidth.singleLine(entry.name))/"
        }
        let tags = document.tagList.map { "#\($0)" }
        let parts = ["✎ \(document.title)", document.path] + tags
        return parts.map { DisplayWidth.singleLine($0) }.joined(separator: "  ")
    }

    private static func members(_ entry: FolderEntry) -> [JSONMember] {
        var members = [
            JSONMember("kind", .string(entry.isFolder ? "folder" : "note")),
            JSONMember("path", .string(entry.path)),
        ]
        if let document = entry as? Document {
            members += [
                JSONMember("title", .string(document.title)),
                JSONMember("tags", .array(document.tagList.map { .string($0) })),
                JSONMember("size", .number("\(document.size)")),
            ]
            if let problem = document.frontMatterProblem {
                members.append(JSONMember("problem", .string(problem)))
            }
        }
        if let modified = entry.modified {
            members.append(JSONMember("modified", .string(ISODate.string(modified))))
        }
        return members
    }

    // MARK: One note

    /// Prints a note: its title, where it is, and its text.
    ///
    /// - Throws: `InputError` for a folder, or if the text cannot be shown.
    func printNote(_ clock: DateContext, json: Bool) throws {
        guard let document = entry as? Document else {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(entry.name))\" is a folder; docket list lists it."
            )
        }
        let text = try library.text(of: document)
        if let problem = text.problem { throw InputError(.malformed, "\(problem)") }
        if json {
            let members = FolderOutput.members(document)
            return try Console.print(.object(members + [JSONMember("text", .string(text.text))]))
        }
        let dates = DateFormat(context: clock)
        try Console.print(DisplayWidth.singleLine(document.title))
        let fields = [
            ("path", document.path), ("kind", "note, read-only"),
            ("tags", document.tagList.map { "#\($0)" }.joined(separator: " ")),
            ("changed", document.modified.map { dates.ago($0) } ?? ""),
        ]
        for (name, value) in fields where !value.isEmpty {
            let label = name.padding(to: 10)
            try Console.print("  \(label)\(DisplayWidth.singleLine(value))")
        }
        if let problem = document.frontMatterProblem { Console.note(problem) }
        try Console.print("")
        for line in text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            try Console.print("  " + Console.shown(String(line)))
        }
    }
}
