import DocketFormats
import ObjectGraph

/// The text of an item as people read it: its notes, and a note's text below them.
public struct ItemText: Hashable {
    /// What is shown in place of a text that is encrypted while the vault is locked.
    public static let locked = "*Encrypted: locked.*"

    public let text: String
    /// Whether a part of it is encrypted and the vault is locked.
    public let isLocked: Bool
    private let notes: String
    private let body: String

    private static let gap = "\n\n"

    /// Reads the text of an item.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - library: its library, whose vault opens an encrypted text.
    public init(_ item: Item, in library: Library) {
        let note = item as? Note
        isLocked = note?.isEncrypted == true && library.vault.isLocked
        notes = item.notes ?? ""
        body = isLocked ? Self.locked : note.flatMap { try? library.text(of: $0) } ?? ""
        // One of them alone is not copied.
        text = notes.isEmpty ? body : body.isEmpty ? notes : notes + Self.gap + body
    }

    /// Where a place of the whole text is.
    func part(at place: Int) -> (isBody: Bool, text: String, place: Int) {
        if place < notes.utf8.count { return (false, notes, place) }
        let start = notes.isEmpty ? 0 : notes.utf8.count + Self.gap.utf8.count
        return (true, body, place - start)
    }
}

extension Library {
    /// Ticks the box of a task list in an item's text, or removes its tick; one step, which changes
    /// the sign between two brackets and nothing else.
    ///
    /// - Parameters:
    ///   - place: where the sign is, in bytes of the text.
    ///   - text: the text in which it was found.
    ///   - item: the item.
    ///   - words: what the box is about, for the name of the step.
    /// - Returns: the step, about the item.
    /// - Throws: `InputError` if the item is in the trash, its text is locked or has changed since.
    @discardableResult
    public func toggleTick(
        at place: Int,
        of text: ItemText,
        in item: Item,
        words: String
    ) throws -> SavedStep? {
        try change {
            let title = StepName.quoted(item.title)
            try Library.requireOutsideTrash([item])
            if text.isLocked { throw Vault.locked }
            let (isBody, old, place) = text.part(at: place)
            var bytes = Array(old.utf8)
            guard ItemText(item, in: self) == text, bytes.indices.contains(place),
                " xX".utf8.contains(bytes[place])
            else {
                throw InputError(
                    .conflict,
                    "The text of \(title) was changed meanwhile; look at it and try again."
                )
            }
            let isTicked = bytes[place] != UInt8(ascii: " ")
            bytes[place] = UInt8(ascii: isTicked ? " " : "x")
            let new = String(decoding: bytes, as: UTF8.self)
            if isBody, let note = item as? Note, note.isEncrypted {
                try note.setValue(.string(new), forKey: Note.Keys.sealedBody)
            } else {
                try carryOut([isBody ? .body(new) : .notes(new)], on: [item], at: clock())
            }
            let part = words.isEmpty ? "a box in" : "\(StepName.quoted(words)) in"
            return StepName(isTicked ? .unticked : .ticked, part: part, StepSubject([item]))
        }
    }
}

extension Library {
    /// Adds links to files below the text of an item, each on a line; the files stay where they are.
    ///
    /// - Parameters:
    ///   - paths: their paths.
    ///   - item: the item.
    /// - Returns: the step, about the item.
    /// - Throws: `InputError` for an encrypted text, and for a path with a line end.
    @discardableResult
    public func attach(_ paths: [String], to item: Item) throws -> SavedStep? {
        let lines = try paths.map(Library.fileLink)
        return try change {
            try Library.requirePlain(item)
            let old = item.text
            let isApart = old.isEmpty || old.utf8.last == UInt8(ascii: "\n")
            let text = old + (isApart ? "" : "\n\n") + lines.joined(separator: "\n") + "\n"
            try carryOut([item is Note ? .body(text) : .notes(text)], on: [item], at: clock())
            let names = paths.map { StepName.quoted(Library.fileName($0)) }
            let part = names.count == 1 ? names[0] : "\(names.count) files"
            return StepName(.attached, part: "\(part) to", StepSubject([item]))
        }
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The link to a file in a text, `[name](<path>)`, with a backslash before what would end either.
    ///
    /// - Parameter path: its path.
    /// - Returns: the link.
    /// - Throws: `InputError` for a path with a control character.
    public static func fileLink(_ path: String) throws -> String {
        if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(path))\" has a control character in its name;"
                    + " a text cannot link to it."
            )
        }
        func escaped(_ text: String, _ signs: String) -> String {
            text.reduce(into: "") { $0 += (signs.contains($1) ? "\\" : "") + String($1) }
        }
        return "[\(escaped(fileName(path), "[]\\`*_<&"))](<\(escaped(path, "<>\\&"))>)"
    }
}
