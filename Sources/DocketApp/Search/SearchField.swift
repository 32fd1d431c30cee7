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

    /// For each word: one of the fields has it.
    static func condition(_ text: String) -> Condition<Item> {
        text.split(whereSeparator: \.isWhitespace).map { word in
            if word.first == "#" { return tagCondition(String(word.dropFirst())) }
            let word = String(word)
            return texts(contain: word) || Condition { $0.tags.any { $0.name.contains(word, .cd) } }
        }.reduce(nil) { all, word in all.map { $0 && word } ?? word } ?? .always(true)
    }

    private static func texts(contain word: String) -> Condition<Item> {
        Condition { item in
            let own = item.title.contains(word, .cd) || item.notes.contains(word, .cd)
            let other =
                item.as(Note.self).body.contains(word, .cd) || item.list.name.contains(word, .cd)
            return own || other
        }
    }

    /// A word with the sign of tags is the beginning of a tag's name, or text.
    private static func tagCondition(_ name: String) -> Condition<Item> {
        let tags = Condition<Item> { item in
            name.isEmpty
                ? item.tags.count > 0 : item.tags.any { $0.name.beginsWith(name, .cd) }
        }
        return texts(contain: "#" + name) || tags
    }
}
