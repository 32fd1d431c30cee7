import FoundationEssentials

/// Writes a document with headings: lists are headings, subtasks are below their task.
///
/// Items that came from such a document keep their order, and what was around them. As long as an
/// item says the same, and is below the same headings, it has its text, byte for byte; so a document
/// that nobody changed is written as it was. New items follow the one before them in their list. An
/// item gets an identity if a reader would not find it by list and title (``NameIdentities``). One in
/// the trash is written as nothing, with what was around it.
///
/// - Complexity: O(bytes); the texts are held until ``finish()``.
struct OutlineWriter<Syntax: OutlineSyntax>: RecordWriter {
    private let syntax: Syntax
    private var items: [OutlineItem] = []
    private var count = 0
    private var bytes: [UInt8] = []
    /// The text with which they begin.
    private var beginning = ""
    /// What was before items that are elsewhere now.
    private var carried = ""
    private var ending = ""
    private(set) var report = ExchangeReport()

    init(_ syntax: Syntax) { self.syntax = syntax }

    mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func write(_ record: ItemRecord) {
        count += 1
        if record.trashed {
            if let item = syntax.absentItem(record) { items.append(item) }
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
        leaveOutRepeated()
        let first = takeBeginning()
        if !first.isEmpty { syntax.pass(first, in: &context) }
        append(first)
        let order = arranged(context)
        placeEnds(order.map(\.place))
        for (place, parent) in order {
            append(items[place], below: parent, &context, &identities)
        }
        append(carried + ending)
        let lead = syntax.lead(of: beginning, in: bytes)
        if !lead.isEmpty { bytes.insert(contentsOf: lead.utf8, at: 0) }
        (items, carried, ending) = ([], "", "")
    }

    private mutating func append(_ text: String) {
        if text.isEmpty { return }
        if bytes.isEmpty { beginning = text }
        if let last = bytes.last, last != 10 { bytes.append(10) }
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(
        _ item: OutlineItem,
        below parent: UUID?,
        _ context: inout OutlineContext,
        _ identities: inout NameIdentities
    ) {
        var item = item
        func fits(_ context: OutlineContext) -> Bool {
            guard let level = item.level else { return false }
            let above = context.above(level)
            return above.path == item.path && above.task == parent
        }
        var level = item.level
        carried += item.before
        if !carried.isEmpty {
            var trial = context
            syntax.pass(carried, in: &trial)
            if fits(trial) {
                context = trial
                append(carried)
                carried = ""
            }
        }
        if item.isAbsent {
            carried += item.after
            return
        }
        if !fits(context) { level = nil }
        let place = level ?? makeRoom(for: item, below: parent, &context)
        let inherited = context.above(place).tags
        // The identity that a reader finds without a name.
        let usual = item.isTask ? parent ?? item.parent : nil
        let next = identities.next(item.list, usual, item.title)
        let isNext = next.uuid == item.uuid && !syntax.settings.namesItems
        var text: String
        if level != nil, let kept = item.kept, item.isNamed || isNext, inherited == item.inherited {
            text = kept
            if isNext, !item.isNamed { identities.take(next) }
        } else {
            syntax.compose(&item)
            item.inherited = inherited
            item.text.inheritance.removeAll { inherited.folded.contains($0.lowercased()) }
            let other = parent == nil ? item.parent : nil
            let isFound = isNext && !item.needsName
            text = syntax.text(item, level: place, parent: other, isNamed: !isFound)
            if isFound, !item.isNamed { identities.take(next) }
        }
        append(text)
        append(item.after)
        context.enter(
            item: item.isTask ? item.uuid : nil,
            level: place,
            inner: place + item.text.inner,
            tags: item.text.inheritance
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
            let isApart = bytes.isEmpty || bytes.suffix(2).elementsEqual([10, 10])
            append(isApart ? text : "\n" + text)
            syntax.pass(text, in: &context)
        }
        return context.top.inner
    }

    // MARK: Order

    /// The items in the order of the document, each with the task below which it is.
    private mutating func arranged(
        _ context: OutlineContext
    ) -> [(place: Int, parent: UUID?)] {
        var places: [UUID: Int] = [:]
        for (place, item) in items.enumerated() where item.isTask && !item.isAbsent {
            places[item.uuid] = place
        }
        var children: [UUID: [Int]] = [:]
        var roots: [Int] = []
        for (place, item) in items.enumerated() {
            if let parent = item.parent ?? item.under, let above = places[parent], above != place,
                items[above].path == item.path
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
        for root in inOrder(roots, context) { walk(root) }
        // The rest belongs to circles of subtasks.
        for place in items.indices where !isDone[place] { walk(place) }
        return result
    }

    /// The outermost items: those of a document in its order, new ones where their list has them.
    private mutating func inOrder(_ roots: [Int], _ context: OutlineContext) -> [Int] {
        placeTexts(roots, context)
        var last: [String: Int] = [:]
        // New items behind an item of the document, and those of a list before its first one.
        var followers: [Int: [Int]] = [:]
        var groups: [String: [Int]] = [:]
        var early: [Int: [Int]] = [:]
        var ranks: [String: Int] = [:]
        for place in roots {
            let item = items[place]
            let path = item.path
            if ranks[path] == nil {
                for count in 0...item.list.count {
                    let start = OutlineContext.path(item.list.prefix(count))
                    if ranks[start] == nil { ranks[start] = ranks.count }
                }
            }
            if item.level == nil {
                if let former = last[path] {
                    followers[former, default: []].append(place)
                } else {
                    groups[path, default: []].append(place)
                }
            } else {
                if last[path] == nil, let group = groups.removeValue(forKey: path) {
                    // What is before the first one may be its heading.
                    if item.before.isEmpty {
                        early[place] = group
                    } else {
                        followers[place] = group
                    }
                }
                last[path] = place
            }
        }
        var result = groups.removeValue(forKey: "") ?? []
        for place in roots where items[place].level != nil {
            result += (early[place] ?? []) + [place] + (followers[place] ?? [])
        }
        let rest = groups.values.map { group in
            let list = items[group[0]].list
            let starts = (0...list.count).map { OutlineContext.path(list.prefix($0)) }
            return (starts.map { ranks[$0] ?? 0 }, group)
        }
        result += rest.sorted { $0.0.lexicographicallyPrecedes($1.0) }.flatMap(\.1)
        guard syntax.headingsEnclose else { return result }
        return result.filter { items[$0].list.isEmpty } + result.filter { !items[$0].list.isEmpty }
    }

    /// Gives each text around the items of a document to the item that it is before now.
    ///
    /// What is in another list than in the document becomes new there. If others of a list are now
    /// before the one behind its heading, the heading is before them.
    private mutating func placeTexts(_ roots: [Int], _ context: OutlineContext) {
        var context = context
        var text = ""
        func take(_ place: Int) {
            syntax.pass(items[place].before, in: &context)
            text += items[place].before
            items[place].before = ""
        }
        let roots = roots.filter { items[$0].level != nil }
        // Up to there no item of the list has a heading before it.
        var bare = 0
        for (number, place) in roots.enumerated() {
            let (path, level) = (items[place].path, items[place].level ?? 0)
            take(place)
            if context.above(level).path != path, number >= bare {
                bare = number + 1
                while bare < roots.count, items[roots[bare]].path == path {
                    let other = roots[bare]
                    if !items[other].before.isEmpty {
                        take(other)
                        break
                    }
                    bare += 1
                }
            }
            if context.above(level).path == path {
                (items[place].before, text) = (text, "")
                context.enter(item: nil, level: level, inner: level + 1)
            } else {
                items[place].level = nil
            }
        }
        ending = text
    }

    /// Takes what is before the first heading of the document, once if a further one has it too.
    private mutating func takeBeginning() -> String {
        var beginning: String?
        for place in items.indices where items[place].isFirst {
            let text = items[place].before
            let end = syntax.headings(in: text).first?.startIndex ?? text.endIndex
            let first = String(text[..<end])
            if beginning ?? first != first { continue }
            beginning = first
            items[place].before = String(text[end...])
        }
        return beginning ?? ""
    }

    /// Leaves out what was around an item that is not written if the one beside it has that too:
    /// its document was read again since.
    private mutating func leaveOutRepeated() {
        var beside: OutlineItem?
        for place in items.indices.reversed() {
            if !items[place].isAbsent {
                beside = items[place]
            } else if let beside, isRepeated(items[place], in: beside) {
                items[place].before = ""
            }
        }
        beside = nil
        for place in items.indices {
            if !items[place].isAbsent {
                beside = items[place]
            } else if let beside, !beside.after.isEmpty {
                items[place].after = ""
            }
        }
    }

    private func isRepeated(_ item: OutlineItem, in other: OutlineItem) -> Bool {
        if item.isFirst, other.isFirst { return true }
        let headings = syntax.headings(in: item.before)
        if headings.isEmpty { return other.before.contains(item.before) }
        return Set(headings).isSubset(of: syntax.headings(in: other.before))
    }

    /// Gives what follows a document to the last of its items that is in the same list now.
    private mutating func placeEnds(_ order: [Int]) {
        var firsts = 0
        for (number, owner) in order.enumerated() {
            if items[owner].isFirst { firsts += 1 }
            let text = items[owner].after
            if text.isEmpty { continue }
            var (last, further) = (owner, firsts)
            for place in order[(number + 1)...] {
                if items[place].isFirst { further += 1 }
                // There another document begins.
                if further > max(firsts, 1) { break }
                let isThere = items[owner].level == nil || items[place].path == items[owner].path
                if items[place].level != nil, isThere { last = place }
            }
            if last == owner { continue }
            items[owner].after = ""
            items[last].after += text
        }
    }
}
