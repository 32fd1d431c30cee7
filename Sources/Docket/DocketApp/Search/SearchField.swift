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
        case .title: localized("title")
        case .notes: localized("notes")
        case .list: localized("list")
        case .tags: localized("tags")
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
}
