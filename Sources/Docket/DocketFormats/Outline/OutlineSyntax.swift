import FoundationEssentials
import ObjectGraph

/// One item of a document with headings, parsed.
protocol OutlineEntry {
    /// A deeper one has a greater level.
    var level: Int { get }
    /// The level of what is right below.
    var inner: Int { get }
    var isTask: Bool { get }
    var isDone: Bool { get }
    /// Whether it says when it was done.
    var hasEnd: Bool { get }
    /// What it calls itself, and its parent if that is elsewhere.
    var id: String? { get }
    var parent: String? { get }
    /// The tags that items below inherit.
    var inheritance: [String] { get }
    /// What its text does not say alone.
    var extra: [JSONMember] { get }
}

/// Why an entry cannot be read, as part of a sentence, and in which of its lines.
struct OutlineRefusal: Error {
    var message: String
    var line = 1
}

/// The form of a document with headings.
protocol OutlineSyntax {
    associatedtype Entry: OutlineEntry
    var settings: ExchangeSettings { get }
    var format: ExchangeFormat { get }
    /// The level of an item outside of all headings.
    var outermost: Int { get }
    /// How many headings are below each other at most.
    var deepest: Int { get }
    /// Fields that a text cannot hold, beside those of no document with headings.
    var lacks: Set<RecordField> { get }
    /// Whether nothing can follow a heading and be outside of all.
    var headingsEnclose: Bool { get }
    /// Parses a text, with what an item has kept beside it.
    func entry(_ text: String, _ extra: [JSONMember]) throws(OutlineRefusal) -> Entry
    /// What an entry says of its item.
    func fields(_ entry: Entry, inherited: [String]) -> RecordFields
    /// Goes through a text without items.
    ///
    /// - Returns: whether it has text that belongs to no item.
    @discardableResult
    func pass(_ text: String, in context: inout OutlineContext) -> Bool
    /// The lines of a text without items that are headings.
    func headings(in text: String) -> [Substring]
    /// The heading of a list.
    func heading(_ name: String, level: Int) -> String
    /// Makes the parts of a new text for an item; `original` is its former text, which `read` says,
    /// and of which is kept what is still so.
    func compose(_ record: ItemRecord, _ original: Entry?, _ read: ItemRecord?) -> OutlineText
    /// The text of an item, whose ``OutlineItem/inherited`` tags are those of its new place; `parent`
    /// is a task below which it is not, and `isNamed` says whether the text has its identity.
    func text(_ item: OutlineItem, level: Int, parent: UUID?, isNamed: Bool) -> String
    /// What must be before everything, if a document says nothing of it.
    func preamble(for items: [OutlineItem]) -> String
    /// What must be before a document, so that the text with which it begins is read as it was.
    func lead(of text: String, in document: [UInt8]) -> String
    /// What the format cannot hold of an item, beside what no document with headings can.
    func losses(_ record: ItemRecord) -> [(isLost: Bool, remark: String)]
}

/// The parts of a new text of an item.
struct OutlineText {
    var head = ""
    var dates = ""
    var marks = ""
    var rest = ""
    /// The level of what is below, counted from its own.
    var inner = 1
    var inheritance: [String] = []
}

/// An item as a document with headings has it.
struct OutlineItem {
    var uuid: UUID
    var isTask: Bool
    var isDone: Bool
    var title: String
    var list: [String]
    /// The list in one text, in lower case.
    var path: String
    /// The task above it in Docket, and for a note in its document.
    var parent: UUID?
    var under: UUID?
    var tags: [String]
    /// Its own text in the document that it came from, if that still says the same.
    var kept: String?
    /// The level of that text, and what was before and after it.
    var level: Int?
    var before = ""
    var after = ""
    /// Whether it was the first one of its document.
    var isFirst = false
    /// Whether only what was around it is written.
    var isAbsent = false
    var inherited: [String] = []
    /// Whether the kept text names the item.
    var isNamed = false
    /// A new text, or what is below the kept one.
    var text = OutlineText()
    /// Whether a new text must name the item, because it is read in another way.
    var needsName = false
    /// What its document has kept beside the text.
    var extra: [JSONMember]

    init(_ record: ItemRecord, _ format: ExchangeFormat, deepest: Int) {
        extra = record.extra[format.name]
        (uuid, title, list) = (record.uuid, record.title, record.list)
        if list.count > deepest {
            list = list.prefix(deepest - 1) + [list.dropFirst(deepest - 1).joined(separator: "/")]
        }
        (isTask, isDone) = (record.kind == .task, record.completed != nil)
        (tags, parent) = (record.tags, record.parent)
        path = OutlineContext.path(list)
        under = extra[OutlineKept.under]?.string.flatMap { UUIDText.parse($0) }
        let head = extra[OutlineKept.head]?.string
        isFirst = head != nil
        before = head ?? extra[OutlineKept.before]?.string ?? ""
        after = extra[OutlineKept.after]?.string ?? ""
        if case .array(let tags)? = extra[OutlineKept.inherited] {
            inherited = tags.compactMap(\.string)
        }
        extra.removeAll {
            [OutlineKept.head, OutlineKept.before, OutlineKept.after].contains($0.name)
        }
    }
}

/// Names in the extra fields of an item from a document with headings.
enum OutlineKept {
    /// Its own text, and what is before it and, for the last one, after it.
    static let text = "text"
    static let before = "before"
    /// What is before the first one of a document.
    static let head = "head"
    static let after = "after"
    /// The tags that it has from the headings above.
    static let inherited = "tags"
    /// The task below which a note is.
    static let under = "under"
    /// Set if it is done, and the text does not say when.
    static let endless = "endless"
}

extension OutlineSyntax {
    func lead(of text: String, in document: [UInt8]) -> String { "" }
}

// MARK: Reading

extension OutlineSyntax {
    /// Reads the text of an item, which `parse` parses, and goes below it.
    func read(
        _ text: String,
        before: String,
        isFirst: Bool,
        line: Int,
        _ context: inout OutlineContext,
        _ identities: inout NameIdentities,
        parse: (String) throws(OutlineRefusal) -> Entry
    ) -> ImportEvent {
        let isLoose = !before.isEmpty && pass(before, in: &context)
        let entry: Entry
        do throws(OutlineRefusal) { entry = try parse(text) } catch {
            let line = line + error.line - 1
            return .failure(ImportProblem(line: line, message: error.message + "."))
        }
        let above = context.above(entry.level)
        var fields = fields(entry, inherited: above.tags)
        fields.setList(above.list)
        if entry.isTask {
            fields.record.parent = entry.parent.map(identities.uuid(named:)) ?? above.task
        }
        let (list, parent) = (fields.record.list, fields.record.parent)
        fields.record.uuid =
            entry.id.map(identities.uuid(named:))
            ?? identities.uuid(list, parent, fields.record.title)
        fields.isNamed = true
        fields.record.order = Int64(line) * Ranks.spacing
        var extra = [JSONMember(OutlineKept.text, .string(text))] + entry.extra
        if !before.isEmpty {
            let name = isFirst ? OutlineKept.head : OutlineKept.before
            extra.append(JSONMember(name, .string(before)))
        }
        if !above.tags.isEmpty {
            extra.append(JSONMember(OutlineKept.inherited, .array(above.tags.map { .string($0) })))
        }
        if !entry.isTask, let task = above.task {
            extra.append(JSONMember(OutlineKept.under, .string(UUIDText.lowercase(task))))
        }
        if entry.isDone, !entry.hasEnd {
            extra.append(JSONMember(OutlineKept.endless, .bool(true)))
        }
        fields.record.extra[format.name] = extra
        if isLoose {
            fields.remark("Text before it, which belongs to no item, is kept for export only.")
        }
        context.enter(
            item: entry.isTask ? fields.record.uuid : nil,
            level: entry.level,
            inner: entry.inner,
            tags: entry.inheritance
        )
        return fields.finish(line: line)
    }

    // MARK: Writing

    /// What an item says, and what the format cannot hold of it.
    func item(_ record: ItemRecord) -> (item: OutlineItem, lost: [String]) {
        var item = OutlineItem(record, format, deepest: deepest)
        var original: Entry?
        var read: ItemRecord?
        if let text = item.extra[OutlineKept.text]?.string {
            original = try? entry(text, item.extra)
            item.level = original?.level
            item.isNamed = original?.id != nil
        }
        if let original {
            let fields = fields(original, inherited: item.inherited)
            read = fields.record
            if original.isTask == item.isTask, original.isDone == item.isDone,
                record.says(
                    fields,
                    endless: item.extra[OutlineKept.endless] != nil,
                    without: lacks
                )
            {
                item.kept = item.extra[OutlineKept.text]?.string
                item.text.inner = original.inner - original.level
                item.text.inheritance = original.inheritance
            }
        }
        let usual: [(Bool, String)] = [
            (record.extra.isDamaged, ForeignFields.damage),
            (record.flagged, "The flag is not exported."),
            (record.reminder != nil || !record.reminders.isEmpty, "The reminder is not exported."),
            (
                record.kind == .note && record.notes != nil,
                "The remarks on a note are not exported."
            ),
        ]
        let lost = (usual + losses(record)).filter(\.0).map(\.1)
        if item.kept != nil { return (item, lost) }
        compose(record, original, read, &item)
        let words = "Some of its words have another meaning in \(format.words)."
        return (item, item.needsName ? lost + [words] : lost)
    }

    /// What was around an item that is not written; `nil` if nothing was.
    func absentItem(_ record: ItemRecord) -> OutlineItem? {
        var item = OutlineItem(record, format, deepest: deepest)
        if item.before.isEmpty, item.after.isEmpty { return nil }
        let text = item.extra[OutlineKept.text]?.string ?? ""
        item.level = (try? entry(text, item.extra))?.level
        (item.isAbsent, item.extra) = (true, [])
        return item
    }

    /// Makes a new text of an item, and reads it again.
    private func compose(
        _ record: ItemRecord,
        _ original: Entry?,
        _ read: ItemRecord?,
        _ item: inout OutlineItem
    ) {
        item.text = compose(record, original, read)
        if isTask(record, ofPlainWords: original) { return }
        var alone = item
        alone.inherited = []
        let text = text(alone, level: outermost, parent: nil, isNamed: false)
        item.needsName = true
        guard let entry = try? entry(text, item.extra), entry.isTask == item.isTask else { return }
        let again = fields(entry, inherited: []).record
        item.needsName =
            again.title != record.title || again.notes != record.notes || again.body != record.body
    }

    /// Whether a new text of a task is read as the task without a doubt: letters, digits and blanks
    /// between them have no other meaning in any format.
    private func isTask(_ record: ItemRecord, ofPlainWords original: Entry?) -> Bool {
        original == nil && record.kind == .task && isPlain(record.title, inLines: false)
            && record.notes.map { isPlain($0, inLines: true) } ?? true
    }

    private func isPlain(_ text: String, inLines: Bool) -> Bool {
        var isWord = false
        for byte in text.utf8 {
            switch byte {
            // Beside ASCII, the Latin letters of U+00C0 to U+02BF.
            case 48...57, 65...90, 97...122, 0xC3...0xCA, 0x80...0xBF: isWord = true
            case 32 where isWord, 10 where isWord && inLines: isWord = false
            default: return false
            }
        }
        return isWord
    }

    /// Makes a new text of an item that still says what its text says.
    func compose(_ item: inout OutlineItem) {
        guard let kept = item.kept, let original = try? entry(kept, item.extra) else { return }
        let read = fields(original, inherited: item.inherited).record
        var record = read
        (record.uuid, record.title, record.tags) = (item.uuid, item.title, item.tags)
        compose(record, original, read, &item)
        item.kept = nil
    }
}

extension ItemRecord {
    /// Whether an item still says what its text says; not compared is what such a text cannot hold,
    /// and where it is.
    fileprivate func says(
        _ fields: RecordFields,
        endless: Bool,
        without lacks: Set<RecordField>
    ) -> Bool {
        var (record, other) = (fields.record, self)
        if endless, completed != nil, record.completed != nil { record.completed = completed }
        if !fields.isDated { record.created = created }
        (record.extra, other.extra) = (ForeignFields(), ForeignFields())
        let others: Set<RecordField> = [
            .list, .parent, .trashed, .flagged, .reviewed, .series, .reminder, .reminders,
        ]
        return record.fields(unlike: other).allSatisfy { others.contains($0) || lacks.contains($0) }
    }
}
