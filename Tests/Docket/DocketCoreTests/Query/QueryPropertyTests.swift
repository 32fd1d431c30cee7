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
        try RandomItems.fill(library, &random)
        let names = QueryNames(library)
        let items = try library.items(matching: nil)
        for _ in 0..<60 {
            let expression = RandomItems.expression(&random)
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

/// What searches mean, item by item.
private enum World {
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
            let days =
                RandomItems.days.first { $0.text.trimmingCharacters(in: ["\""]) == value }?.days
                ?? 0..<0
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
        case "location":
            if value == "none" || value == "any" {
                return (task?.location != nil) == (value == "any")
            }
            let wanted = value.hasPrefix("@") ? String(value.dropFirst()) : value
            return task?.location.map {
                comparison == .equal ? folded($0.name) == folded(wanted) : has($0.name, wanted)
            } ?? false
        case "waits", "blocks":
            let others = (field == "waits" ? task?.blockedBy : task?.blocks) ?? []
            if value == "none" || value == "any" { return others.isEmpty == (value == "none") }
            let ends = value.split(separator: "-").compactMap { Int64($0) }
            return others.contains { (ends[0]...ends[ends.count - 1]).contains($0.shortID) }
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
        case "someday":
            task.map {
                $0.due == nil && $0.start == nil && $0.rule == nil && $0.priority <= 1
                    && !$0.flagged && $0.parent == nil
            } ?? false
        case "task": task != nil
        case "note": task == nil
        case "subtask": task?.parent != nil
        case "conflict": false
        default: item.trashed != nil
        }
    }
}
