import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import SearchLanguage
import SeededRandom
import Synchronization
import TerminalUI
import Testing
import TextSearch

@testable import DocketApp

/// Searches with conditions while they are typed.
@Suite struct QuerySearchTests {
    @Test(arguments: SeededRandom.seeds(4))
    func whatIsInMemoryFindsWhatTheStoreFindsAlsoAfterChanges(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot(fill: { try RandomItems.fill($0, &random) })
        let (library, search) = (robot.library, robot.workspace.search)
        #expect(search.isReady)
        for round in 0..<40 {
            let filter = try search.filter("\(RandomItems.expression(&random))")
            let found = try search.search(filter, among: nil).ids
            let stored = try library.itemIDs(of: filter, matching: Library.notTrashed)
            #expect(found == stored, "seed \(seed), round \(round): \(filter.text)")
            guard round % 4 == 3 else { continue }
            let items = try library.items(matching: nil)
            let item = random.pick(items)
            try Library.unlessTrashed {
                switch random.below(6) {
                case 0: try library.complete([item])
                case 1: try library.changeTags(of: [item], adding: ["out", "new\(round)"])
                case 2: try library.perform(.due(DueDate(moment: Robot.now)), on: [item])
                case 3: try library.trash([item])
                case 4: try library.rename(random.pick(library.lists()), to: "Home \(round)")
                default: try library.addTask(capturing: "rent \(round) today #out +Work !high")
                }
            }
            robot.settle()
        }
    }

    /// A value with a fraction, before 2000 or after 2068 is compared as the store compares it.
    @Test func columnsCompareAsPredicatesDo() throws {
        var columns = SearchColumns([(key: "due", kind: .date), (key: "n", kind: .number)])
        let seconds: [Double?] = [
            nil, -5e8, -31_622_400, -31_622_399.5, 0, 0.5, 1, 8e8, 8e8 + 0.25, 2.1e9, 2.2e9, 1e10,
        ]
        let numbers: [Int64?] = [
            nil, -1, 0, 1, 2, 3, 1 << 33, 4_294_967_293, 4_294_967_294, -9, 7, 0,
        ]
        for row in seconds.indices {
            columns.set(
                seconds[row].map { Date(timeIntervalSinceReferenceDate: $0) },
                row: UInt32(row),
                column: 0
            )
            columns.set(numbers[row], row: UInt32(row), column: 1)
        }
        let dates = (seconds + [-1, 2.3e9]).map {
            $0.map { GraphValue.date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
        }
        let constants = (numbers + [4, 100]).map { $0.map { GraphValue.int($0) } ?? .null }
        let operators: [FetchComparison.Operator] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        var compared = 0
        for (key, values) in [("due", dates), ("n", constants)] {
            for constant in values {
                for operation in operators {
                    let predicate = FetchPredicate.comparison(
                        FetchComparison(.keyPath(key), operation, .constant(constant))
                    )
                    guard let rows = columns.rows(predicate, rowCount: seconds.count) else {
                        continue
                    }
                    compared += 1
                    for row in seconds.indices {
                        let holds = try predicate.evaluate(with: .dictionary([key: values[row]]))
                        #expect(rows.contains(row) == holds, "\(predicate) for \(values[row])")
                    }
                }
            }
        }
        #expect(compared > 80)
    }

    /// Each key asks the store nothing, once lists and tags are known; what is not in memory costs
    /// one statement.
    @Test func typingASearchOfTenTermsTakesNoStatements() throws {
        let robot = try Robot(sample: .many(300))
        try robot.library.addTask(capturing: "Last #out +Home")
        robot.settle()
        let search = robot.workspace.search
        _ = try search.search(search.filter("tag:out list:home"), among: nil)
        let log = Mutex<[String]>([])
        let coordinator = robot.library.context.coordinator
        coordinator.startCounting { line in
            if line.contains(" SELECT "), !line.contains("'main'.") {
                log.withLock { $0.append(line) }
            }
        }
        func count(_ text: String) throws -> Int {
            log.withLock { $0 = [] }
            for length in 1...text.count {
                _ = try search.search(search.filter(String(text.prefix(length))), among: nil)
            }
            return log.withLock { $0.count }
        }
        let ten =
            "due:<7d tag:out list:home -is:done created:<30d task number priority>=low (a or -is:flagged) title:~k.n"
        #expect(try count(ten) == 0)
        let others =
            "title:~a.*b or title:~^c or has:notes -word \"quoted words\" every:any is:blocked -(has:subtasks or is:blocking) title:=last every:week has:reminder is:someday reviewed:none has:location"
        #expect(try count(others) == 0)
        #expect(try count("a has:attachments") == 1)
        #expect(try count("a has:attachments b is:note") == 0)
    }

    /// What the store has answered stays right without another statement, until what it depends on
    /// changes, here or in another program.
    @Test func aConditionThatTheStoreAnswersIsAskedAgainOnlyAfterAChangeOfItsProperty() throws {
        let robot = try Robot(sample: .many(50))
        let (library, search) = (robot.library, robot.workspace.search)
        let items = Array(try library.items(matching: nil).prefix(4))
        try library.edit(items[0], [FieldChange("notes=Call twice")])
        robot.settle()
        _ = try search.search(search.filter("number"), among: nil)
        let count = Mutex(0)
        library.context.coordinator.startCounting { line in
            if line.contains(" SELECT "), !line.contains("'main'.") { count.withLock { $0 += 1 } }
        }
        let texts = ["has:attachments", "has:links", "notes:=\"call twice\""]
        var total = 0
        /// Compares all three with the store; the number of statements that the search took.
        func check(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int
        {
            robot.settle()
            var statements = 0
            for text in texts {
                let filter = try search.filter(text)
                let before = count.withLock { $0 }
                let found = try search.search(filter, among: nil).ids
                statements += count.withLock { $0 } - before
                let stored = try library.itemIDs(of: filter, matching: Library.notTrashed)
                #expect(found == stored, "\(text) after \(what)", sourceLocation: sourceLocation)
                total += found.count
            }
            return statements
        }
        // The notes of a note are in two properties.
        let all = try check("the start")
        #expect(all >= 3 && total == 1)
        #expect(try check("nothing") == 0)
        try library.edit(items[1], [FieldChange("title=Another title")])
        try library.complete([items[2]])
        try library.addTask(capturing: "New today #out")
        #expect(try check("changes of other properties") == 0)
        let attachment = Attachment(context: library.context)
        (attachment.fileName, attachment.item) = ("a.txt", items[1])
        try library.context.save()
        #expect((1..<all).contains(try check("an attachment")))
        items[1].$links.insert(items[3])
        try library.context.save()
        #expect((1..<all).contains(try check("a link")))
        try library.edit(items[3], [FieldChange("notes=CALL TWICE")])
        #expect((1..<all).contains(try check("notes")))
        try library.trash([items[0]])
        #expect(try check("the trash") == 0)
        total = 0
        let other = try Robot.open(robot.folder)
        let mine = try other.items(matching: nil)
        let second = Attachment(context: other.context)
        (second.fileName, second.item) = ("b.txt", mine[9])
        mine[10].$links.insert(mine[11])
        mine[12].notes = "call twice"
        try other.context.save()
        other.close()
        try library.refresh()
        _ = try check("the changes of another program")
        #expect(total == 6)
    }

    @Test func whatWaitsForARepeatingTaskWaitsForItsNextOccurrence() throws {
        let robot = try Robot()
        let blocker = try robot.library.addTask(capturing: "Clean today every week")
        let waiting = try robot.library.addTask(capturing: "Paint")
        waiting.$blockedBy.insert(blocker)
        try robot.library.context.save()
        robot.settle()
        func check(_ what: String) throws {
            robot.settle()
            for text in ["is:blocked", "is:blocking"] {
                let filter = try robot.workspace.search.filter(text)
                let found = try robot.workspace.search.search(filter, among: nil).ids
                let stored = try robot.library.itemIDs(of: filter, matching: Library.notTrashed)
                #expect(found == stored, "\(text) after \(what)")
            }
        }
        try check("the start")
        try robot.library.complete([blocker])
        try check("completing")
        _ = try robot.library.undo()
        try check("undo")
        let list = try robot.library.edit(waiting, [FieldChange("list=Somewhere new")])
        #expect(list != nil)
        robot.settle()
        let found = try robot.workspace.search.search(
            robot.workspace.search.filter("list:\"Somewhere new\""),
            among: nil
        ).ids
        #expect(found == [waiting.objectID])
    }

    @Test func aConditionFiltersWhileItIsTypedAndAnErrorIsPointedOut() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("tag:out")
        #expect(robot.titles == ["Plan the garden", "order seeds"])
        #expect(robot.shows("tagged out"))
        robot.type(" -seeds")
        #expect(robot.titles == ["Plan the garden"])
        #expect(robot.shows("tagged out, without “seeds”"))
        robot.type(" duu:today")
        #expect(robot.titles == ["Plan the garden"])
        #expect(robot.shows("\"duu\" is not a field: did you mean due?"))
        let row = try #require(robot.screen.lastIndex { $0.contains("duu:today") })
        let column = try #require(robot.screen[row].range(of: "duu"))
        let place = robot.screen[row].distance(
            from: robot.screen[row].startIndex,
            to: column.lowerBound
        )
        let styles = robot.terminal.frame.styles(row)
        #expect(styles[place].attributes != styles[place - 2].attributes)
        #expect(styles[place].attributes == styles[place + 8].attributes)
    }

    @Test func aSearchThatIsTooLongOrTooDeepGetsASentenceInTheBar() throws {
        let robot = try Robot()
        try robot.press("/")
        let texts = [
            (String(repeating: "(", count: 10_000) + "a", "Parentheses may be nested 50 deep"),
            (
                (1...20_000).map { "w\($0)" }.joined(separator: " "),
                "A search takes at most 100 words"
            ),
            ("id:" + (1...20_000).map { "\($0)" }.joined(separator: ","), "at most 500 values"),
        ]
        for (text, sentence) in texts {
            robot.paste(text)
            #expect(robot.shows(sentence), "\(text.prefix(20))")
            try robot.press("ctrl+u")
        }
        robot.type("tag:bank")
        #expect(robot.titles == ["Pay rent"])
    }

    @Test func theWordAtTheCursorIsCompletedByTheRightArrow() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("ta")
        #expect(robot.shows("tag:"))
        try robot.press("right")
        let bar = try #require(robot.workspace.modal as? SearchBar)
        #expect(bar.field.text == "tag:")
        // The tag of most open items is the first, with their number.
        func offered() -> [String]? { bar.suggestions(in: robot.workspace)?.rows.map(\.text) }
        #expect(offered() == ["out", "bank", "none", "any"])
        #expect(robot.shows("out") && robot.shows("2 open"))
        robot.type("b")
        #expect(offered() == ["bank"])
        try robot.press("right")
        #expect(bar.field.text == "tag:bank ")
        #expect(robot.titles == ["Pay rent"])
        robot.type("list:gar")
        #expect(robot.shows("Home/Garden"))
        try robot.press("right")
        #expect(bar.field.text == "tag:bank list:Home/Garden ")
        #expect(robot.titles == [])
    }

    @Test(arguments: ["list:~", "tag:<", "list:>="])
    func whatAFieldDoesNotTakeIsNotCompleted(_ text: String) throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type(text)
        try robot.press("right")
        let bar = try #require(robot.workspace.modal as? SearchBar)
        #expect(bar.field.text == text)
    }

    /// What is completed finds the items of that list or tag, whatever its name is.
    @Test(arguments: [
        "none", "any", "Inbox", "no", "or", "-", "a b", "q\"uote", "back\\slash", "(par", "a,b",
        "=eq",
        "🎉 party", "שלום",
    ])
    func aCompletedNameFindsItsItems(_ name: String) throws {
        let robot = try Robot { library in
            var item = try library.capture("Odd")
            item.list = [name]
            item.tags = [name]
            _ = try library.addTask(item, ItemDefaults())
        }
        for field in ["list:", "tag:"] {
            try robot.press("/")
            // Without the last letter: a whole word of the language needs no completion.
            let typed = name.dropLast().replacing("\\", with: "\\\\")
            robot.type(field + "\"" + typed.replacing("\"", with: "\\\""))
            try robot.press("right")
            #expect(robot.titles == ["Odd"], "\(field) \(robot.text)")
            #expect(
                robot.shows(field == "list:" ? "in \(name)" : "tagged \(name)")
                    || name.contains("\\")
            )
            try robot.press("esc")
        }
    }

    @Test func aValueThatIsBeingTypedIsNoErrorYet() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("tag:ou")
        #expect(robot.titles.count > 4)
        #expect(!robot.shows("does not exist"))
        robot.type("x")
        #expect(robot.shows("The tag #oux does not exist. Existing tags: #bank, #out."))
    }

    @Test func theLastSearchesComeBackWithTheUpArrowAlsoAfterAStart() throws {
        let robot = try Robot()
        let path = robot.folder.appendingPathComponent("state").path
        robot.application.keepState(in: path)
        for text in ["tag:out", "soil", "tag:out"] {
            try robot.press("/")
            if !robot.workspace.session.text.isEmpty { try robot.press("ctrl+u") }
            robot.type(text)
            try robot.press("enter")
        }
        try robot.press("esc / up")
        let bar = try #require(robot.workspace.modal as? SearchBar)
        #expect(bar.field.text == "tag:out" && robot.titles == ["Plan the garden", "order seeds"])
        try robot.press("up")
        #expect(bar.field.text == "soil" && robot.titles == ["Soil test results"])
        try robot.press("up down")
        #expect(bar.field.text == "tag:out")
        try robot.press("down")
        #expect(bar.field.text == "")
        robot.type("a")
        try robot.press("up")
        #expect(bar.field.text == "a")
        let file = "\(path)/searches"
        var later = SearchHistory(path: file)
        #expect(later.texts == ["tag:out", "soil"])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func aSearchOfTheShownListTakesConditionsToo() throws {
        let robot = try Robot(start: .inbox)
        try robot.press("/")
        robot.type("is:task a")
        #expect(robot.titles.count > 1)
        try robot.press("tab")
        #expect(robot.titles == ["Read a book"])
        #expect(robot.shows("in Inbox"))
    }
}
