import CivilTime
package import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
package import SearchLanguage
package import SeededRandom

/// Items with values of all kinds, and searches for them.
package enum RandomItems {
    private static let words = ["rent", "Ämter", "home", "ga", "plan", "a", "é"]
    private static let tags = ["out", "desk", "Home", "gärten"]
    private static let locations = ["Bank", "Bänke", "home"]
    private static let lists = ["Home", "Home/Garden", "Work", "Work/Plans"]
    /// Values of dates, and their days from today.
    package static let days: [(text: String, days: Range<Int>)] = [
        ("today", 0..<1), ("+1d", 1..<2), ("-3d", -3..<(-2)), ("2026-11", -20..<10),
        ("2026", -324..<41),
        ("\"this week\"", -5..<2), ("2026-11-30", 9..<10), ("2026-w47", -5..<2),
    ]

    package static func fill(_ library: Library, _ random: inout SeededRandom) throws {
        let clock = library.clock()
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
            item.created = moment(&random, clock)
            if random.chance(6) { item.trashed = clock.now }
            if let note = item as? Note, random.chance(2) { note.body = text(&random) }
            if let list = random.draw(lists), random.chance(2) {
                item.list = try library.existingList(path: ListPath.parse(list))
            }
            guard let task = item as? Task else { continue }
            task.priority = Int16(random.below(4))
            if random.chance(2) { task.setDue(due(&random, clock)) }
            if random.chance(4) { task.setStart(due(&random, clock)) }
            if random.chance(3) { task.completed = moment(&random, clock) }
            if random.chance(4) { task.estimate = Int32(random.below(10)) * 900 }
            if random.chance(3) {
                task.location = try Library.location(
                    typed: random.pick(locations),
                    in: library.context
                )
            }
            if random.chance(6) { task.rule = "FREQ=\(random.pick(["DAILY", "WEEKLY"]))" }
        }
        try library.context.save()
        let items = try library.items(matching: nil)
        for item in items where item.trashed == nil && random.chance(2) {
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

    private static func moment(_ random: inout SeededRandom, _ clock: DateContext) -> Date {
        clock.now.addingTimeInterval(Double(random.below(40 * 86_400) - 20 * 86_400))
    }

    private static func due(_ random: inout SeededRandom, _ clock: DateContext) -> DueDate {
        let moment = moment(&random, clock)
        return random.chance(2)
            ? DueDate(moment: moment) : DueDate(day: clock.zone.day(of: moment))
    }

    // MARK: Searches

    package static func expression(
        _ random: inout SeededRandom,
        depth: Int = 0
    ) -> QueryExpression {
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
                    QueryText(random.pick(values).filter { $0 != "\"" })
                }
            )
        }
        let orders: [QueryComparison] = [
            .fits, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        switch random.below(11) {
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
        case 7:
            return term(
                "location",
                locations + ["@BANK", "none", "any"],
                [.fits, .equal, .notEqual]
            )
        case 8:
            return term(
                random.pick(["waits", "blocks"]),
                ["1-20", "7", "30-60", "none", "any"],
                [.fits, .notEqual]
            )
        case 9: return term("title", words, [.fits, .equal, .notEqual, .pattern])
        default: return term("estimate", ["30m", "1h", "none"], orders)
        }
    }
}
