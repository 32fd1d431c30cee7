import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SearchLanguage
import Synchronization
import Testing

@testable import DocketCore

/// What searches find, say and refuse; Sat 21 Nov 2026, 14:05 in Berlin.
@Suite struct QueryTests {
    let folder: LibraryFolder
    let library: Library

    init() throws {
        folder = try LibraryFolder()
        try Self.filled.get().write(to: folder.store)
        library = try Self.open(folder)
    }

    /// The store of each test, which is made once.
    private static let filled = Result {
        let folder = try LibraryFolder()
        let library = try open(folder)
        try fill(library)
        library.close()
        return try Data(contentsOf: folder.store)
    }

    private static func open(_ folder: LibraryFolder) throws -> Library {
        try Library(url: folder.store, author: "test") { Fixed.context }
    }

    private static func fill(_ library: Library) throws {
        for line in [
            "Pay rent tomorrow 9:00 +Home #bank !high every month\nAccount is the new one",
            "Plan the garden 27 nov +Home/Garden #out !med", "Order seeds +Home/Garden",
            "Review today 9:00 +Work #desk", "Report today +Work #desk !low",
            "Call yesterday #phone", "Holiday in 40 days",
        ] { try library.addTask(capturing: line) }
        try library.addNote(capturing: "Soil results +Home/Garden #out\nThe pH is 6.5")
        let items = try library.items(matching: nil)
        let tasks = items.compactMap { $0 as? Task }
        tasks[1].blockedBy = [tasks[2]]
        tasks[2].parent = tasks[1]
        tasks[0].location = try Library.location("Deutsche Bank", in: library.context)
        tasks[5].location = try Library.location("Phone booth", in: library.context)
        tasks[1].estimate = 5400
        tasks[6].flagged = true
        tasks[6].setStart(DueDate(day: Fixed.context.today.adding(days: 30)))
        tasks[5].completed = Fixed.context.now.addingTimeInterval(-3 * 86_400)
        for item in items { item.created = Fixed.context.now.addingTimeInterval(-60) }
        tasks[0].created = Fixed.context.now.addingTimeInterval(-40 * 86_400)
        tasks[2].title = "Order seeds \"now\""
        try library.context.save()
    }

    /// The titles that a search finds, by their first words.
    private func found(_ text: String) throws -> [String] {
        let filter = try library.filter(text)
        #expect(filter.problems.isEmpty, "\(filter.problems)")
        let ids = try library.itemIDs(of: filter)
        return try library.existing(ids).map { String($0.title.prefix { $0 != " " }) }
    }

    @Test(arguments: [
        ("due:\"nächste 7 Tage\"", "due:\"next 7 days\""),
        ("due:\"in den nächsten 7 Tagen\"", "due:\"next 7 days\""),
        ("due:\"Kommende 2 Wochen\"", "due:\"coming 2 weeks\""),
        ("due:\"innerhalb von 2 Tagen\"", "due:\"within 2 days\""),
        ("due:\"binnen 3 Monaten\"", "due:\"within 3 months\""),
        ("done:\"letzte 4 Tage\"", "done:\"last 4 days\""),
        ("done:\"vergangene 3 Tage\"", "done:\"past 3 days\""),
        ("done:\"die letzten 2 Jahre\"", "done:\"the last 2 years\""),
        ("created:<\"7 Tage\"", "created:<\"7 days\""),
        ("created:>\"1 Monat\"", "created:>\"1 month\""),
        ("due:\"letzte Woche\"", "due:\"last week\""), ("due:\"diese Woche\"", "due:\"this week\""),
        ("due:Montag..Freitag", "due:monday..friday"),
        ("due:\"nächsten Monat\"", "due:\"next month\""),
    ])
    func stretchOfTimeInGermanIsThatOfEnglish(german: String, english: String) throws {
        var clock = Fixed.context
        clock.settings = TimeSettings(language: .german)
        let filter = try ItemFilter(german, QueryNames(library), clock)
        #expect(filter.problems.isEmpty, "\(filter.problems)")
        #expect(filter.compiled == (try library.filter(english)).compiled)
    }

    @Test(arguments: [
        ("waits:999", "There is no item 999."), ("blocks:999", "There is no item 999."),
        ("id:999", "There is no item 999."), ("waits:2,999", "There is no item 999."),
        ("id:900-999", "There are no items 900 to 999."),
    ])
    func itemThatDoesNotExistIsNamedAndFindsNothing(search: String, sentence: String) throws {
        let filter = try library.filter(search)
        #expect(filter.problems.map(\.sentence) == [sentence])
        let found = try library.itemIDs(of: filter)
        #expect(found.count < 3)
        #expect(try library.filter("id:<999 -waits:none id:2").problems.isEmpty)
    }

    @Test(arguments: [
        ("due:today", "Review Report"), ("due:<today", "Call"),
        ("due:<=today", "Review Report Call"),
        ("due:<7d", "Pay Plan Review Report Call"), ("due:>7d", "Holiday"),
        ("due:7d", ""), ("due:6d", "Plan"), ("due:<eom", "Pay Plan Review Report Call"),
        ("due:2026-11", "Pay Plan Review Report Call"), ("due:2026-12", "Holiday"),
        ("due:2026", "Pay Plan Review Report Call Holiday"), ("due:2026-w48", "Plan"),
        ("due:\"next week\"", "Plan"), ("due:\"this week\"", "Pay Review Report Call"),
        ("due:yesterday..today", "Review Report Call"), ("due:..yesterday", "Call"),
        ("due:tomorrow..", "Pay Plan Holiday"), ("due:none", "Order Soil"),
        ("due:any -due:any", ""),
        ("due:<now", "Review Call"), ("due:>=now", "Pay Plan Report Holiday"),
        ("due:<2h", "Review Call"), ("due:!=today due:any", "Pay Plan Call Holiday"),
        ("due:december", "Holiday"), ("due:\"week 48\"", "Plan"),
        ("due:\"q4 2026\" is:open", "Pay Plan Review Report Holiday"),
        ("due:\"this weekend\"", "Pay Review Report"), ("due:\"2 weeks before christmas\"", ""),
        ("due:today,tomorrow", "Pay Review Report"),
        ("created:<7d", "Plan Order Review Report Call Holiday Soil"), ("created:>=30d", "Pay"),
        ("created:2026-10", "Pay"), ("created:today -tag:out", "Order Review Report Call Holiday"),
        ("created:october", "Pay"), ("done:<7d", "Call"), ("done:<3d", ""), ("done:wed", "Call"),
        ("start:>today", "Holiday"), ("is:waiting", "Holiday"),
        ("tag:out", "Plan Soil"), ("tag:#OUT", "Plan Soil"),
        ("tag:desk,phone", "Review Report Call"),
        ("tag:none", "Order Holiday"), ("-tag:any", "Order Holiday"),
        ("list:home", "Pay Plan Order Soil"), ("list:=home", "Pay"),
        ("list:Home/…", "Pay Plan Order Soil"),
        ("list:garden", "Plan Order Soil"), ("list:home/garden", "Plan Order Soil"),
        ("list:none", "Call Holiday"), ("list:inbox", "Call Holiday"), ("in:work", "Review Report"),
        ("is:done", "Call"), ("-is:done due:<=today", "Review Report"), ("is:note", "Soil"),
        ("is:task tag:out", "Plan"), ("is:blocked", "Plan"), ("is:blocking", "Order"),
        ("is:flagged", "Holiday"), ("is:overdue", "Review"), ("is:repeating", "Pay"),
        ("is:subtask", "Order"), ("is:trashed", ""), ("every:any", "Pay"), ("every:month", "Pay"),
        ("every:week", ""), ("every:none is:note", "Soil"),
        ("has:notes", "Pay Soil"), ("has:subtasks", "Plan"), ("has:estimate", "Plan"),
        ("has:due -has:list", "Call Holiday"), ("has:tags has:list is:note", "Soil"),
        ("priority:high", "Pay"), ("priority>=medium", "Pay Plan"),
        ("pri:<low", "Order Review Call Holiday"),
        ("priority:any", "Pay Plan Report"), ("p:2,3", "Pay Plan"),
        ("priority:!=none", "Pay Plan Report Soil"),
        ("location:bank", "Pay"), ("location:=\"deutsche bank\"", "Pay"), ("at:@Phone", "Call"),
        ("has:location -location:phone", "Pay"),
        ("location:any", "Pay Call"), ("location:none is:note", "Soil"),
        ("waits:3", "Plan"), ("waits:2", ""), ("after:1-5", "Plan"), ("waits:any", "Plan"),
        ("blocks:2", "Order"), ("blocks:any", "Order"), ("before:2,3", "Order"),
        ("waits:none is:note", "Soil"),
        ("estimate:>1h", "Plan"), ("est:1:30", "Plan"), ("estimate:none is:note", "Soil"),
        ("title:re", "Pay Review Report Soil"), ("title:=review", "Review"),
        ("title:~^re", "Review Report"),
        ("notes:~p.\\s", "Soil"), ("notes:account", "Pay"), ("id:2-3", "Plan Order"),
        ("id:<=2", "Pay Plan"),
        ("re", "Pay Review Report Soil"), ("garden", "Plan Order Soil"), ("garden plan", "Plan"),
        ("home", "Pay Plan Order Soil"), ("#out", "Plan Soil"), ("#ou", "Plan Soil"),
        ("+home", "Pay Plan Order Soil"),
        ("-+work is:open due:any", "Pay Plan Holiday"), ("@phone", "Call"), ("\"+home\"", ""),
        ("due:\"next 7 days\"", "Pay Plan Review Report"), ("done:\"last 3 days\"", ""),
        ("done:\"past 4 days\"", "Call"), ("due:\"within the next 2 days\"", "Pay Review Report"),
        ("\"the garden\"", "Plan"),
        ("\"is the\"", "Pay"), ("re -tag:desk", "Pay Soil"),
        ("(seeds or tag:phone) -is:done", "Order"),
        ("a or is:note", "Pay Plan Order Call Holiday Soil"),
        ("-garden tag:any", "Pay Review Report Call"),
        ("\"\\\"now\\\"\"", "Order"), ("", "Pay Plan Order Review Report Call Holiday Soil"),
    ])
    func aSearchFinds(_ text: String, _ titles: String) throws {
        #expect(try found(text).joined(separator: " ") == titles)
    }

    @Test(arguments: [
        ("due:<7d tag:home -is:done", "due within 7 days, tagged home, open"),
        ("due:today", "due today"), ("due:<eom", "due before Mon 30 Nov"),
        ("due:<=7d", "due by Sat 28 Nov"),
        ("due:2026-12", "due December 2026"), ("due:2027", "due 2027"),
        ("due:none", "without due date"),
        ("due:\"next week\"", "due Mon 23 Nov to Sun 29 Nov"), ("due:<now", "due before now"),
        ("due:today..fri", "due from today until Fri 27 Nov"),
        ("created:<7d", "created within the last 7 days"),
        ("created:>1w", "created before Sat 14 Nov"),
        ("milk \"fat free\" -bread", "“milk”, “fat free”, without “bread”"),
        ("(a or b c) d", "(“a” or (“b”, “c”)), “d”"), ("tag:out,desk", "tagged out or tagged desk"),
        ("list:work", "in work"), ("list:none", "without a list"),
        ("priority>=medium", "priority medium or higher"),
        ("has:notes -has:due", "with notes, without a due date"), ("is:blocked", "blocked"),
        ("location:bank", "at bank"), ("-location:any", "not with a location"),
        ("waits:3", "waits for 3"), ("blocks:any", "blocks something"),
        ("-is:blocked", "not blocked"), ("every:any", "repeating"),
        ("estimate:<30m", "estimate under 30 min"),
        ("title:~^re", "title matches “^re”"), ("-(a or b)", "not (“a” or “b”)"), ("", ""),
    ])
    func aSearchSaysInWordsWhatItAsksFor(_ text: String, _ words: String) throws {
        try library.addTask(capturing: "x #home")
        #expect(try library.filter(text).inWords(Fixed.context) == words)
    }

    @Test(arguments: [
        (
            "milk due:2026-02-30", "milk", "2026-02-30",
            "“2026-02-30” is not a date: February 2026 has 28 days."
        ),
        (
            "due:xyzzy", "", "xyzzy",
            "“xyzzy” is not a date; write one like “tomorrow 9:00”, “fri” or “2026-11-22”."
        ),
        (
            "tag:nowhere a", "a", "nowhere",
            "The tag #nowhere does not exist. Existing tags: #bank, #desk, #out, #phone."
        ),
        (
            "list:away", "", "away",
            "The list \"away\" does not exist. Existing lists: Home, Home/Garden, Work."
        ),
        (
            "is:big a", "a", "big",
            "is: takes open, done, overdue, blocked, blocking, waiting, flagged, repeating, someday, task, note, subtask, trashed, conflict."
        ),
        (
            "+away", "", "+away",
            "The list \"away\" does not exist. Existing lists: Home, Home/Garden, Work."
        ),
        (
            "#nowhere a", "a", "#nowhere",
            "The tag #nowhere does not exist. Existing tags: #bank, #desk, #out, #phone."
        ),
        (
            "prioity>=2", "", "prioity>=2",
            "\"prioity\" is not a field: did you mean priority?"
        ),
        ("is:<done", "", "done", "is: has no order; write is:done."),
        ("priority:urgent", "", "urgent", "priority: takes none, low, medium, high, or 0 to 3."),
        ("estimate:long", "", "long", "\"long\" is not a duration; write 90, 1h30m or 1:30."),
        (
            "at:moon", "", "moon",
            "No location is called \"moon\". Existing locations: @Deutsche Bank, @Phone booth."
        ),
        (
            "waits:seeds", "", "seeds",
            "“seeds” is not an item's number; `docket list` shows the numbers."
        ),
        ("title:~(a", "", "(a", "The pattern has a ( without a )."),
        (
            "tag:out,nowhere a", "a", "nowhere",
            "The tag #nowhere does not exist. Existing tags: #bank, #desk, #out, #phone."
        ),
    ])
    func aValueThatIsWrongIsPointedOutAndTheRestFilters(
        _ text: String,
        _ rest: String,
        _ marked: String,
        _ sentence: String
    ) throws {
        let filter = try library.filter(text)
        #expect("\(filter.expression)" == rest)
        let problem = try #require(filter.problems.first)
        #expect(problem.sentence == sentence)
        #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == marked)
        #expect(throws: InputError.self) { try filter.checkUnderstood() }
    }

    @Test(arguments: [
        ("tag:ou", true), ("tag:zz", false), ("list:Hom", true), ("is:fla", true),
        ("priority:h", false),
    ])
    func aValueThatMayBecomeRightIsNotWrongYet(_ text: String, _ isIncomplete: Bool) throws {
        let problems = try library.filter(text).problems
        #expect(problems.contains { $0.kind == .incomplete } == isIncomplete)
    }

    @Test func aWholePredicateIsACondition() throws {
        func titles(_ format: String) throws -> [String] {
            try library.items(matching: library.condition(where: format))
                .map { String($0.title.prefix { $0 != " " }) }
        }
        #expect(try titles("due < $tomorrow AND priority >= 1") == ["Report"])
        // What is due on the whole day is not late yet.
        #expect(try titles("due < $now AND completed = nil") == ["Review"])
        #expect(
            try titles("ANY tags.name = 'out' AND list.name BEGINSWITH[c] 'g'") == ["Plan", "Soil"]
        )
        for format in ["due <", "due < $someday", "nothing = 1"] {
            #expect(throws: (any Error).self, "\(format)") { try titles(format) }
        }
        let error = #expect(throws: InputError.self) { try library.condition(where: "due < $x") }
        #expect(
            error?.message.contains("The variable $x does not exist; there are $month,") == true
        )
    }

    @Test(arguments: [
        ("rent", 5), ("due:<7d priority>=low -is:done", 1),
        (
            "due:<7d tag:out list:home -is:done has:notes is:blocked created:<30d rent seeds every:any",
            7
        ),
    ])
    func aSearchTakesFewStatements(_ text: String, _ most: Int) throws {
        let coordinator = library.context.coordinator
        let log = StatementLog()
        func statements() throws -> Int {
            let filter = try library.filter(text)
            log.removeAll()
            coordinator.startCounting { log.add($0) }
            _ = try library.itemIDs(of: filter)
            coordinator.stopCounting()
            return log.count
        }
        let few = try statements()
        for number in 0..<50 {
            try library.addTask(capturing: "More \(number) #t\(number) +L\(number)")
        }
        let many = try statements()
        #expect(many <= most && many <= few, "\(few), then \(many) statements for \(text)")
    }
}

/// The statements of searches, without those that the text index runs inside of one.
private final class StatementLog: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) {
        guard line.contains(" SELECT "), !line.contains("'main'.") else { return }
        lines.withLock { $0.append(line) }
    }

    func removeAll() { lines.withLock { $0 = [] } }
    var count: Int { lines.withLock { $0.count } }
}
