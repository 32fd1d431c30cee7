import CivilTime
import FoundationEssentials

/// Writes items for people: grouped by list, subtasks below their task, notes below their item.
///
/// ```
/// Home/Garden
///   [ ] 12 Order seeds  (Fri 9:00) !high #out @Shop
///          first line of its notes
///     [x] 14 Measure the beds
/// ```
///
/// Lists are in the order of their first item, items without a list first. This form cannot be
/// imported.
///
/// - Complexity: O(items); all of them are held until ``finish()``.
public struct TextWriter: RecordWriter {
    private let format: DateFormat
    private var bytes: [UInt8] = []
    private var records: [ItemRecord] = []
    public private(set) var report = ExchangeReport()

    public init(settings: ExchangeSettings) {
        format = DateFormat(context: settings.dates)
    }

    public mutating func write(_ record: ItemRecord) {
        records.append(record)
        report.keep(line: records.count, title: record.title, remarks: [])
    }

    public mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    public mutating func finish() {
        var lists: [[String]] = []
        var groups: [[String]: [ItemRecord]] = [:]
        let known = Set(records.map(\.uuid))
        var children: [UUID: [ItemRecord]] = [:]
        for record in records {
            if let parent = record.parent, known.contains(parent), parent != record.uuid {
                children[parent, default: []].append(record)
            } else {
                if groups[record.list] == nil { lists.append(record.list) }
                groups[record.list, default: []].append(record)
            }
        }
        if let index = lists.firstIndex(of: []) { lists.insert(lists.remove(at: index), at: 0) }
        for (index, list) in lists.enumerated() {
            if index > 0 { bytes.append(10) }
            let title = list.isEmpty ? "No list" : ListPath.string(list)
            bytes.append(contentsOf: (title + "\n").utf8)
            append(groups[list] ?? [], &children)
        }
        // The rest belongs to circles of subtasks.
        if !children.isEmpty {
            let rest = records.filter { record in
                children.values.contains { $0.contains { $0.uuid == record.uuid } }
            }
            children = [:]
            append(rest, &children)
        }
        records = []
    }

    /// Depth first, without recursion, so that a deep tree cannot exhaust the stack.
    private mutating func append(_ items: [ItemRecord], _ children: inout [UUID: [ItemRecord]]) {
        var open = items.reversed().map { (record: $0, depth: 1) }
        while let (record, depth) = open.popLast() {
            append(record, depth: depth)
            let below = children.removeValue(forKey: record.uuid) ?? []
            open += below.reversed().map { ($0, depth + 1) }
        }
    }

    private mutating func append(_ record: ItemRecord, depth: Int) {
        let indent = String(repeating: "  ", count: min(depth, 40))
        let mark = record.kind == .note ? "[n]" : record.completed != nil ? "[x]" : "[ ]"
        let number = record.shortID.map { "\($0) " } ?? ""
        bytes.append(contentsOf: "\(indent)\(mark) \(number)\(record.title)".utf8)
        var details: [String] = []
        if let due = record.due { details.append(format.relative(due)) }
        if let start = record.start { details.append("from \(format.relative(start))") }
        if let recurrence = record.recurrence {
            details.append(record.taskSeries(in: format.context)?.words ?? recurrence)
        }
        if record.trashed { details.append("in the trash") }
        if !details.isEmpty {
            bytes.append(contentsOf: "  (\(details.joined(separator: ", ")))".utf8)
        }
        switch record.priority {
        case 3: bytes.append(contentsOf: " !high".utf8)
        case 2: bytes.append(contentsOf: " !med".utf8)
        case 1: bytes.append(contentsOf: " !low".utf8)
        default: break
        }
        for tag in record.tags {
            let sign = tag.utf8.first
            let isSigned = sign == UInt8(ascii: "@") || sign == UInt8(ascii: "+")
            bytes.append(contentsOf: " \(isSigned ? "" : "#")\(tag)".utf8)
        }
        if let location = record.location { bytes.append(contentsOf: " @\(location)".utf8) }
        bytes.append(10)
        let raw = [record.notes, record.body].compactMap(\.self).joined(separator: "\n")
        let text = String(decoding: CaptureText.clean(Array(raw.utf8)), as: UTF8.self)
        guard !text.isEmpty else { return }
        let margin = indent + "       "
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            bytes.append(contentsOf: line.isEmpty ? "\n".utf8 : "\(margin)\(line)\n".utf8)
        }
    }
}
