/// What each work may cost: the goals of the design, and bounds for what it does not name. The ratio
/// to a reference in the same run where there is one, else a value in the unit of the row (times in
/// milliseconds).
enum Budgets {
    /// The budget of a row at a size; `nil` if it has none.
    static func budget(of work: String, size: Int) -> Result.Budget? {
        let work = work.hasPrefix("next 1,000 occurrences") ? "next 1,000 occurrences" : work
        return at[size]?[work] ?? everywhere[work]
    }

    private static let at: [Int: [String: Result.Budget]] = [
        200: captured(200),
        1_000: captured(1_000).merging(shell) { $1 },
        10_000: captured(10_000).merging(shell) { $1 },
        100_000: shell.merging(hundredThousand) { $1 },
        1_000_000: million,
    ]

    /// A key in a line of so many characters.
    private static func captured(_ length: Int) -> [String: Result.Budget] {
        let most = Result.Budget.value(0.3 * Double(length) / 200)
        return [
            "capture, a key in a line of characters": most,
            "capture, a key, the worst of bad lines": most,
        ]
    }

    private static let everywhere: [String: Result.Budget] = [
        "property set + get, integer": .value(4),
        "property set + get, string": .ratio(2),
        "next 1,000 occurrences": .value(2),
        "docket when --json, lines": .value(1_000),
        "docket vault list, unlocking": .value(1_000),
        "wake-ups in 5 s without input": .value(0),
        "exits in 40 starts of 0.5 s": .exactly(0),
        "another's change → frame, median": .value(50),
        "another's change → frame, maximum": .value(50),
        "start-up (docket --version)": .value(3),
    ]

    /// Commands and keys up to 100,000 items.
    private static let shell: [String: Result.Budget] = [
        "docket add": .value(20),
        "docket done": .value(20),
        "docket undo": .value(20),
        "docket list --json": .ratio(1),
        "docket search --json, a frequent word": .ratio(1),
        "docket export (JSON)": .ratio(1),
        "docket search, two words": .value(25),
        "docket undo, of the import": .ratio(1.5),
        "launch → first full frame": .value(20),
        "key → last byte of the frame, p95": .value(3),
        "done, undo, move → first byte, median": .value(4),
        "search key → frame, p95": .value(8),
        "search key → frame, ten terms, p95": .value(8),
        "memory, interface open, after a search": .value(45),
        "processor for another's change": .value(5),
    ]

    /// What fixed costs would blur at a smaller size.
    private static let hundredThousand: [String: Result.Budget] = [
        "insert + save": .ratio(1.6),
        "fetch as faults": .ratio(0.35),
        "fetch, realised": .ratio(0.7),
        "fetch by ID × size, cold": .ratio(1.1),
        "fetch by ID × size, row cached": .ratio(0.12),
        "walk to one, all faults": .ratio(2),
        "walk to many, all faults": .ratio(2.5),
        "undo that": .ratio(1),
        "redo that": .ratio(1),
        "add and remove by the whole set": .value(10_000),
        "open and fetch all, binary store": .ratio(3),
        "open and fetch all, XML store": .ratio(3),
        "open and fetch all, text store": .ratio(3),
        "import Taskwarrior JSON": .value(2_500),
        "import, most memory": .value(150),
    ]

    private static let million: [String: Result.Budget] = [
        "import Taskwarrior JSON": .value(28_000),
        "import, most memory": .value(150),
        "docket undo, of the import": .ratio(1.5),
        "docket list --json": .ratio(1),
        "docket search --json, a frequent word": .ratio(1),
        "docket export (JSON)": .ratio(1),
        "docket search, two words": .value(60),
        "launch → first full frame": .value(30),
        "key → last byte of the frame, p95": .value(8),
        "done, undo, move → first byte, median": .value(5),
        "search key → frame, p95": .value(25),
        "search key → frame, ten terms, p95": .value(25),
        "memory, interface open, after a search": .value(180),
        "processor for another's change": .value(20),
        "all items done at once": .value(15_000),
        "all items done at once, most memory": .value(400),
        "open a store, first 50 rows": .value(20),
        "results controller: open, 50 rows shown": .value(200),
        "results controller: memory": .value(60),
        "results controller: one row changed, median": .value(1),
        "results controller: one row inserted, median": .value(1),
        "results controller: one row deleted, median": .value(1),
        "results controller: one row moved, median": .value(1),
        "lightweight migration: add, rename, drop": .ratio(2),
    ]
}
