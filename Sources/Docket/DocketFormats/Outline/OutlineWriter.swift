import FoundationEssentials

/// An item as a document with headings has it.
struct OutlineItem {
    var uuid: UUID
    var isTask: Bool
    var title: String
    var list: [String]
    /// The task above it in Docket, and for a note in its document.
    var parent: UUID?
    var under: UUID?
    /// Its own text in the document that it came from, if that still says the same.
    var kept: String?
    /// The level of that text, and what was before and after it.
    var level: Int?
    var before = ""
    var after = ""
    var inherited: [String] = []
    var tags: [String]
    /// Whether the kept text names the item.
    var isNamed = false
    /// The parts of a new text.
    var head = ""
    var marks = ""
    var rest = ""
    /// Whether a new text must name the item, because it is read in another way.
    var needsName = false
    /// The word for its state that must be declared; empty for none.
    var needs = ""
    var isDone = false

    /// An item with what its document has kept of it.
    init(_ record: ItemRecord, _ format: ExchangeFormat) {
        let extra = record.extra[format.name]
        (uuid, title, list) = (record.uuid, record.title, record.list)
        tags = record.tags
        (isTask, parent) = (record.kind == .task, record.parent)
        under = extra[OutlineKept.under]?.string.flatMap { UUIDText.parse($0) }
        before = extra[OutlineKept.before]?.string ?? ""
        after = extra[OutlineKept.after]?.string ?? ""
        if case .array(let tags)? = extra[OutlineKept.inherited] {
            inherited = tags.compactMap(\.string)
        }
    }
}

/// The form of a document with headings.
protocol OutlineSyntax {
    var format: ExchangeFormat { get }
    /// The level of an item outside of all headings.
    var outermost: Int { get }
    /// Whether nothing can follow a heading and be outside of all.
    var headingsEnclose: Bool { get }
    /// What an item says, and what the format cannot hold of it.
    func item(_ record: ItemRecord) -> (item: OutlineItem, lost: [String])
    /// Goes through a text without items.
    func pass(_ text: String, in context: inout OutlineContext)
    /// The heading of a list.
    func heading(_ name: String, level: Int) -> String
    /// The text of an item, whose ``OutlineItem/inherited`` tags are those of its new place; `parent`
    /// is a task below which it is not, and `isNamed` says whether the text has its identity.
    func text(_ item: OutlineItem, level: Int, parent: UUID?, isNamed: Bool) -> String
    /// The level of what is below an item's text.
    func inner(of text: String, level: Int) -> Int
    /// The tags that items below a text inherit.
    func tags(of text: String) -> [String]
    /// What must be before everything, if a document says nothing of it.
    func preamble(for documents: [OutlineItem]) -> String
}

/// Writes a document with headings: lists are headings, subtasks are below their task.
///
/// Items that came from such a document keep their order, and what was around them. As long as an
/// item says the same, and is below the same headings, it has its text, byte for byte; so a document
/// that nobody changed is written as it was. New items follow the last one of their list. An item
/// gets an identity if a reader would not find it by list and title (``NameIdentities``).
///
/// - Complexity: O(bytes); the texts are held until ``finish()``.
struct OutlineWriter<Syntax: OutlineSyntax>: RecordWriter {
    private let syntax: Syntax
    private var items: [OutlineItem] = []
    private var count = 0
    private var bytes: [UInt8] = []
    private(set) var report = ExchangeReport()

    init(_ syntax: Syntax) { self.syntax = syntax }

    mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func write(_ record: ItemRecord) {
        count += 1
        if record.trashed {
            let reason = "\(syntax.format.name) has no trash."
            return report.skip(line: count, title: record.title, reason: reason)
        }
        let (item, lost) = syntax.item(record)
        items.append(item)
        report.keep(line: count, title: record.title, remarks: lost)
    }

    mutating func finish() {
        var context = OutlineContext(inner: syntax.outermost)
        var identities = NameIdentities(format: syntax.format.name)
        append(syntax.preamble(for: items))
        for (place, parent) in arranged() {
            append(items[place], below: parent, &context, &identities)
        }
        items = []
    }

    private mutating func append(_ text: String) {
        if text.isEmpty { return }
        if let last = bytes.last, last != 10 { bytes.append(10) }
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(
        _ item: OutlineItem,
        below parent: UUID?,
        _ context: inout OutlineContext,
        _ identities: inout NameIdentities
    ) {
        func fits(_ context: OutlineContext) -> Bool {
            guard let level = item.level else { return false }
            let above = context.above(level)
            return above.list.folded == item.list.folded && above.task == parent
        }
        var level = item.level
        var trial = context
        if !item.before.isEmpty { syntax.pass(item.before, in: &trial) }
        if fits(trial) {
            context = trial
            append(item.before)
        } else if !fits(context) {
            level = nil
        }
        // The identity that a reader finds without a name.
        let usual = item.isTask ? parent ?? item.parent : nil
        let isFound =
            !item.needsName && identities.next(item.list, usual, item.title) == item.uuid
        var text: String
        let place: Int
        if let level, let kept = item.kept, item.isNamed || isFound,
            context.above(level).tags == item.inherited
        {
            (text, place) = (kept, level)
        } else {
            place = level ?? makeRoom(for: item, below: parent, &context)
            let other = parent == nil ? item.parent : nil
            var moved = item
            moved.inherited = context.above(place).tags
            text = syntax.text(moved, level: place, parent: other, isNamed: !isFound)
        }
        if isFound, !(item.kept == text && item.isNamed) {
            _ = identities.uuid(item.list, usual, item.title)
        }
        append(text)
        append(item.after)
        context.enter(
            item: item.isTask ? item.uuid : nil,
            level: place,
            inner: syntax.inner(of: text, level: place),
            tags: syntax.tags(of: text)
        )
        if !item.after.isEmpty { syntax.pass(item.after, in: &context) }
    }

    /// Goes to the place of an item, with headings for its list where there are none.
    ///
    /// - Returns: its level.
    private mutating func makeRoom(
        for item: OutlineItem,
        below parent: UUID?,
        _ context: inout OutlineContext
    ) -> Int {
        if parent != nil {
            while context.frames.count > 1, context.top.task != parent || context.top.isList {
                context.leave(context.top.level)
            }
            // The task itself, not what is between it and its subtasks.
            while context.frames.count > 2,
                context.frames[context.frames.count - 2].task == parent
            {
                context.leave(context.top.level)
            }
            return context.top.inner
        }
        let missing = context.leave(for: item.list)
        for name in item.list.suffix(missing) {
            let level = context.top.level + 1
            let text = syntax.heading(name, level: level)
            append(bytes.isEmpty || bytes.suffix(2) == [10, 10] ? text : "\n" + text)
            syntax.pass(text, in: &context)
        }
        return context.top.inner
    }

    // MARK: Order

    /// The items in the order of the document, each with the task below which it is.
    private func arranged() -> [(place: Int, parent: UUID?)] {
        var places: [UUID: Int] = [:]
        for (place, item) in items.enumerated() where item.isTask { places[item.uuid] = place }
        var children: [UUID: [Int]] = [:]
        var roots: [Int] = []
        for (place, item) in items.enumerated() {
            if let parent = item.parent ?? item.under, let above = places[parent], above != place,
                items[above].list.folded == item.list.folded
            {
                children[parent, default: []].append(place)
            } else {
                roots.append(place)
            }
        }
        var result: [(place: Int, parent: UUID?)] = []
        var isDone = [Bool](repeating: false, count: items.count)
        // Without recursion, so that a deep tree cannot exhaust the stack.
        func walk(_ root: Int) {
            var open: [(place: Int, parent: UUID?)] = [(root, nil)]
            while let next = open.popLast() {
                if isDone[next.place] { continue }
                isDone[next.place] = true
                result.append(next)
                let uuid = items[next.place].uuid
                guard items[next.place].isTask, let below = children.removeValue(forKey: uuid)
                else { continue }
                open += below.reversed().map { ($0, uuid) }
            }
        }
        for root in inOrder(roots) { walk(root) }
        // The rest belongs to circles of subtasks.
        for place in items.indices where !isDone[place] { walk(place) }
        return result
    }

    /// The outermost items: those of a document in its order, new ones behind their list.
    private func inOrder(_ roots: [Int]) -> [Int] {
        func key(_ list: some Collection<String>) -> String {
            list.map { $0.lowercased() }.joined(separator: "\u{0}")
        }
        var last: [String: Int] = [:]
        var groups: [String: [Int]] = [:]
        var ranks: [String: Int] = [:]
        for place in roots {
            let item = items[place]
            let path = key(item.list)
            for count in 0...item.list.count {
                let start = key(item.list.prefix(count))
                if ranks[start] == nil { ranks[start] = ranks.count }
            }
            if item.level != nil {
                last[path] = place
            } else {
                groups[path, default: []] += [place]
            }
        }
        var result: [Int] = last[""] == nil ? groups.removeValue(forKey: "") ?? [] : []
        for place in roots where items[place].level != nil {
            result.append(place)
            let path = key(items[place].list)
            if last[path] == place { result += groups.removeValue(forKey: path) ?? [] }
        }
        let rest = groups.values.map { group in
            let list = items[group[0]].list
            return ((0...list.count).map { ranks[key(list.prefix($0))] ?? 0 }, group)
        }
        result += rest.sorted { $0.0.lexicographicallyPrecedes($1.0) }.flatMap(\.1)
        guard syntax.headingsEnclose else { return result }
        return result.filter { items[$0].list.isEmpty } + result.filter { !items[$0].list.isEmpty }
    }
}

extension ItemRecord {
    /// Whether an item still says what its text says; not compared is what such a text cannot hold,
    /// and where it is.
    func says(
        _ read: ImportedRecord,
        endless: Bool,
        except held: Set<RecordField> = []
    ) -> Bool {
        var record = read.record
        if endless, completed != nil, record.completed != nil { record.completed = completed }
        let others: Set<RecordField> = [
            .list, .parent, .extra, .trashed, .flagged, .reviewed, .series, .reminder, .reminders,
        ]
        return record.fields(unlike: self).allSatisfy {
            others.contains($0) || held.contains($0) || ($0 == .created && !read.isDated)
        }
    }
}
