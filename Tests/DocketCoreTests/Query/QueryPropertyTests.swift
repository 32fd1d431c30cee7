import CivilTime
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SearchLanguage
import SeededRandom
import Testing

@testable import DocketCore

/// The store, the predicate in memory and a naive reading find the same for random searches.
@Suite struct QueryPropertyTests {
    @Test(arguments: SeededRandom.seeds(6))
    func theStoreFindsWhatMemoryFindsAndWhatTheWordsSay(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        try World.fill(library, &random)
        let names = QueryNames(library)
        let items = try library.items(matching: nil)
        for _ in 0..<60 {
            let expression = World.expression(&random)
            let filter = try ItemFilter("\(expression)", names, Fixed.context)
            #expect(filter.problems.isEmpty, "\(filter.problems)")
            let stored = try library.existing(library.itemIDs(of: filter)).map(\.shortID)
            let condition = filter.compiled.condition(names)
            let inMemory = try items.filter { try condition.predicate.evaluate(with: $0) }
                .map(\.shortID)
            let naive = items.filter { World.matches(expression, $0) }.map(\.shortID)
            #expect(stored == naive, "the store, seed \(seed): \(expression)")
            #expect(inMemory == naive, "in memory, seed \(seed): \(expression)")
        }
    }
}

/// Random items, random searches, and what they mean.
private enum World {
    static let words = ["rent", "Ämter", "home", "ga", "plan", "a", "é"]
    static let tags = ["out", "desk", "Home", "gärten"]
    static let lists = ["Home", "Home/Garden", "Work", "Work/Plans"]
    /// Values of dates, and their days from today.
    static let days: [(text: String, days: Range<Int>)] = [
        ("today", 0..<1), ("+1d", 1..<2), ("-3d", -3..<(-2)), ("2026-11", -20..<10),
        ("2026", -324..<41),
        ("\"this week\"", -5..<2), ("2026-11-30", 9..<10), ("2026-w47", -5..<2),
    ]

    static func fill(_ library: Library, _ random: inout SeededRandom) throws {
        for list in lists { _ = try library.addList(path: ListPath.parse(list)) }
        for number in 0..<60 {
            let isNote = random.chance(5)
            let item: Item =
                try isNote
                ? library.addNote(capturing: "n\(number)")
                : library.addTask(capturing: "t\(number)")
            item.title = text(&random)
            if random.chance(3) { item.notes = text(&random) }
            item.flagged = random.chance(4)
            item.created = moment(&random)
            if random.chance(6) { item.trashed = Fixed.context.now }
            if let note = item as? Note, random.chance(2) { note.body = text(&random) }
            if let list = random.draw(lists), random.chance(2) {
                item.list = try library.existingList(path: ListPath.parse(list))
            }
            guard let task = item as? Task else { continue }
            task.priority = Int16(random.below(4))
            if random.chance(2) { task.setDue(due(&random)) }
            if random.chance(4) { task.setStart(due(&random)) }
            if random.chance(3) { task.completed = moment(&random) }
            if random.chance(4) { task.estimate = Int32(random.below(10)) * 900 }
            if random.chance(6) { task.rule = "FREQ=\(random.pick(["DAILY", "WEEKLY"]))" }
        }
        try library.context.save()
        let items = try library.items(matching: nil)
        for item in items where random.chance(2) {
            _ = try library.changeTags(of: [item], adding: [random.pick(tags), random.pick(tags)])
        }
        let tasks = items.compactMap { $0 as? Task }
        for task in tasks where random.chance(5) { task.blockedBy = [random.pick(tasks)] }
        for task in tasks.dropFirst() where random.chance(5) { task.parent = tasks[0] }
        try library.context.save()
    }

    private static func text(_ random: inout SeededRandom) -> String {
        (0...random.below(3)).map { _ in random.pick(words) }.joined(separator: " ")
    }

    private static func moment(_ random: inout SeededRandom) -> Date {
        Fixed.context.now.addingTimeInterval(Double(random.below(40 * 86_400) - 20 * 86_400))
    }

    private static func due(_ random: inout SeededRandom) -> DueDate {
        let moment = moment(&random)
        return random.chance(2)
            ? DueDate(moment: moment) : DueDate(day: Fixed.berlin.day(of: moment))
    }

    // MARK: Searches

    static func expression(_ random: inout SeededRandom, depth: Int = 0) -> QueryExpression {
        switch random.below(depth > 2 ? 3 : 6) {
        case 0: return .text(QueryText(random.pick(words + ["#out", "Home/G", "a g"])))
        case 1, 2: return .term(term(&random))
        case 3: return expression(&random, depth: depth + 1).negated
        case 4:
            return .all((0...random.below(3)).map { _ in expression(&random, depth: depth + 1) })
        default:
            return .any((0...random.below(3)).map { _ in expression(&random, depth: depth + 1) })
        }
    }

    private static func term(_ random: inout SeededRandom) -> QueryTerm {
        func term(
            _ field: String,
            _ values: [String],
            _ comparisons: [QueryComparison] = [.fits]
        )
            -> QueryTerm
        {
            let count = 1 + random.below(2)
            return QueryTerm(
                field,
                random.pick(comparisons),
                (0..<count).map { _ in
                    QueryText(random.pick(values).trimmingCharacters(in: ["\""]))
                }
            )
        }
        let orders: [QueryComparison] = [
            .fits, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        switch random.below(9) {
        case 0: return term(random.pick(["due", "start"]), days.map(\.text), orders)
        case 1: return term(random.pick(["created", "done"]), days.map(\.text), orders)
        case 2: return term("priority", ["none", "low", "medium", "high"], orders)
        case 3: return term("tag", tags + ["none", "any"], [.fits, .notEqual])
        case 4: return term("list", lists + ["none", "any", "garden"], [.fits, .equal, .notEqual])
        case 5:
            return term(
                "is",
                QueryState.allCases.map(\.rawValue).filter { $0 != "overdue" && $0 != "waiting" }
            )
        case 6:
            return term(
                "has",
                ["notes", "due", "start", "tags", "list", "subtasks", "parent", "estimate"]
            )
        case 7: return term("title", words, [.fits, .equal, .notEqual, .pattern])
        default: return term("estimate", ["30m", "1h", "none"], orders)
        }
    }

    // MARK: Meaning

    static func matches(_ expression: QueryExpression, _ item: Item) -> Bool {
        switch expression {
        case .everything: true
        case .text(let text): texts(item).contains { has($0, text.text) }
        case .term(let term):
            term.comparison == .notEqual
                ? !term.values.contains { matches(term.field, .equal, $0.text, item) }
                : term.values.contains { matches(term.field, term.comparison, $0.text, item) }
        case .not(let inner): !matches(inner, item)
        case .and(let parts): parts.allSatisfy { matches($0, item) }
        case .or(let parts): parts.contains { matches($0, item) }
        }
    }

    private static func has(_ text: String, _ part: String) -> Bool {
        folded(text).contains(folded(part))
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func texts(_ item: Item) -> [String] {
        [item.title, item.notes ?? "", (item as? Note)?.body ?? "", path(item) ?? ""]
            + item.tags.map { "#\($0.name)" }
    }

    private static func path(_ item: Item) -> String? {
        item.list?.path.joined(separator: "/")
    }

    private static func matches(
        _ field: String,
        _ comparison: QueryComparison,
        _ value: String,
        _ item: Item
    ) -> Bool {
        let task = item as? Task
        func order(_ number: Int?, _ other: Range<Int>) -> Bool {
            guard let number else { return false }
            return switch comparison {
            case .less: number < other.lowerBound
            case .lessOrEqual: number < other.upperBound
            case .greater: number >= other.upperBound
            case .greaterOrEqual: number >= other.lowerBound
            default: other.contains(number)
            }
        }
        func date(_ due: DueDate?) -> Bool {
            let days = days.first { $0.text.trimmingCharacters(in: ["\""]) == value }?.days ?? 0..<0
            return order(
                due.map { $0.day(in: Fixed.berlin).number - Fixed.context.today.number },
                days
            )
        }
        switch field {
        case "due": return date(task?.dueDate)
        case "start": return date(task?.startDate)
        case "created": return date(DueDate(moment: item.created))
        case "done": return date(task?.completed.map { DueDate(moment: $0) })
        case "priority":
            let number = ["none", "low", "medium", "high"].firstIndex(of: value) ?? 0
            return order(task.map { Int($0.priority) }, number..<number + 1)
        case "estimate":
            if value == "none" { return task?.estimate == nil }
            let seconds = value == "1h" ? 3600 : 1800
            return order(task?.estimate.map { Int($0) }, seconds..<seconds + 1)
        case "tag":
            if value == "none" { return item.tags.isEmpty }
            if value == "any" { return !item.tags.isEmpty }
            return item.tags.contains { folded($0.name) == folded(value) }
        case "list":
            if value == "none" { return item.list == nil }
            if value == "any" { return item.list != nil }
            let wanted = value == "garden" ? "home/garden" : folded(value)
            guard let path = path(item).map(folded) else { return false }
            return path == wanted || comparison == .fits && path.hasPrefix(wanted + "/")
        case "title":
            return comparison == .equal
                ? folded(item.title) == folded(value) : has(item.title, value)
        case "has": return has(value, item, task)
        default: return state(value, item, task)
        }
    }

    private static func has(_ value: String, _ item: Item, _ task: Task?) -> Bool {
        switch value {
        case "notes":
            ![item.notes, (item as? Note)?.body].compactMap { $0 }.filter { !$0.isEmpty }.isEmpty
        case "due": task?.due != nil
        case "start": task?.start != nil
        case "tags": !item.tags.isEmpty
        case "list": item.list != nil
        case "subtasks": task?.subtasks.contains { $0.trashed == nil } ?? false
        case "parent": task?.parent != nil
        default: task?.estimate != nil
        }
    }

    private static func state(_ value: String, _ item: Item, _ task: Task?) -> Bool {
        func isOpen(_ task: Task) -> Bool { task.completed == nil && task.trashed == nil }
        return switch value {
        case "open": task?.completed == nil
        case "done": task?.completed != nil
        case "blocked": task?.blockedBy.contains(where: isOpen) ?? false
        case "blocking": task?.completed == nil && (task?.blocks.contains(where: isOpen) ?? false)
        case "flagged": item.flagged
        case "repeating": task?.rule != nil
        case "task": task != nil
        case "note": task == nil
        case "subtask": task?.parent != nil
        default: item.trashed != nil
        }
    }
}
