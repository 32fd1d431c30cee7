import DocketCore
import ObjectGraph
import TextSearch

/// The searched fields, in the order of a search row.
enum SearchField: Int, CaseIterable {
    case title
    case notes
    case list
    case tags

    var title: String {
        switch self {
        case .title: "title"
        case .notes: "notes"
        case .list: "list"
        case .tags: "tags"
        }
    }

    /// The searched texts of an item, by field.
    static func texts(of item: Item) -> [String] {
        let notes = [item.notes, (item as? Note)?.body].compactMap { $0 }
        return [
            item.title, notes.joined(separator: "\n"),
            item.list?.path.joined(separator: "/") ?? "",
            item.tags.map { "#\($0.name)" }.sorted().joined(separator: " "),
        ]
    }

    /// Writes the same texts of an item from its row.
    static func write(_ texts: SavedTexts.Texts, to writer: inout SearchRowWriter) {
        writer.add(utf8: texts.title)
        if texts.body.isEmpty {
            writer.add(utf8: texts.notes)
        } else if texts.notes.isEmpty {
            writer.add(utf8: texts.body)
        } else {
            let joined = Array(texts.notes) + [UInt8(ascii: "\n")] + Array(texts.body)
            joined.withUnsafeBufferPointer { writer.add(utf8: $0) }
        }
        writer.add(texts.list)
        writer.add(texts.tags)
    }

    /// The condition that each word occurs in one of the fields.
    static func predicate(_ text: String) throws -> FetchPredicate {
        .and(
            try text.split(whereSeparator: \.isWhitespace).map { word in
                if word.first == "#" { return try tagPredicate(String(word.dropFirst())) }
                let word = String(word)
                return try FetchPredicate(
                    format: "title CONTAINS[cd] %@ OR notes CONTAINS[cd] %@"
                        + " OR body CONTAINS[cd] %@ OR list.name CONTAINS[cd] %@"
                        + " OR ANY tags.name CONTAINS[cd] %@",
                    word,
                    word,
                    word,
                    word,
                    word
                )
            }
        )
    }

    /// A word with the sign of tags is the beginning of a tag's name, or text.
    private static func tagPredicate(_ name: String) throws -> FetchPredicate {
        let word = "#" + name
        let texts = try FetchPredicate(
            format: "title CONTAINS[cd] %@ OR notes CONTAINS[cd] %@ OR body CONTAINS[cd] %@"
                + " OR list.name CONTAINS[cd] %@",
            word,
            word,
            word,
            word
        )
        let tags =
            name.isEmpty
            ? try FetchPredicate(format: "tags.@count > 0")
            : try FetchPredicate(format: "ANY tags.name BEGINSWITH[cd] %@", name)
        return .or([texts, tags])
    }
}
