import DocketCore
import ObjectGraph

/// What search looks at, in the order of a search row's fields.
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

    /// For each word: it stands in one of the fields.
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
