import CivilTime
import DocketFormats
import FixedTime
import Foundation
import Testing

@testable import DocketCore

@Suite struct CaptureParserTests {
    private let parser = CaptureParser(context: Fixed.context)
    private let format = DateFormat(context: Fixed.context)

    private func due(_ item: CapturedItem) -> String? { item.due.map(format.plain) }

    @Test func manyRemarksAreKeptUpToALimit() {
        let text = (1...500).map { "+L\($0)" }.joined(separator: " ")
        let item = parser.read(text)
        #expect(item.remarks.count == CapturedItem.mostRemarks)
        #expect(Set(item.remarks).count == item.remarks.count)
    }

    @Test func everythingAtOnceIsRecognised() throws {
        let text = "Pay rent tomorrow 9am +Home/Garden #bank !high @Bank every month"
        let item = try parser.capture(text)
        #expect(item.title == "Pay rent")
        #expect(due(item) == "2026-11-22T09:00")
        #expect(item.list == ["Home", "Garden"])
        #expect(item.tags == ["bank"])
        #expect(item.priority == 3)
        #expect(item.location == "Bank")
        #expect(item.recurrence == "every month")
        let shown = item.tokens.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
        #expect(
            shown == ["tomorrow 9am", "+Home/Garden", "#bank", "!high", "@Bank", "every month"]
        )
        #expect(
            item.tokens.map(\.kind) == [.due, .list, .tag, .priority, .location, .recurrence]
        )
    }

    @Test(arguments: [
        "Fix #1 in C# and a+b", "Call +1 555 123 or +49170", "Mail x@y.z about https://a.b/#c+d@e",
        "(#a) is text", "wow! great!", "!!!!", "an !important one", "# @ +",
        "Ask @ana@example.com", "Buy 3d glasses and 2w bulbs", "Support 24/7 and 1/2 cup",
        "Buy sun cream", "Call Tom", "Ubuntu 22.04 and 16:9", "May the force",
        "Every good boy", "weekly report", "C:\\dir\\file", "5 km in March", "#",
        "Read the 5th book",
        "order 12345678", "10.0.0.1 is down", "on and on", "from here", "+", "@", "due",
        "in the end",
    ])
    func ordinaryTextStaysText(text: String) throws {
        let item = try parser.capture(text)
        #expect(item.title == text)
        #expect(item.tokens.isEmpty, "\(item.tokens)")
    }

    @Test(arguments: [
        ("Call Ana sun", "2026-11-22", "Call Ana"), ("Call sat 9am", "2026-11-28T09:00", "Call"),
        ("Call Ana by wed", "2026-11-25", "Call Ana"), ("Call tom #x", "2026-11-22", "Call"),
        ("Call due friday", "2026-11-27", "Call"), ("Call on nov 22", "2026-11-22", "Call"),
        ("Call tomorrow, then write", "2026-11-22", "Call, then write"),
        ("Tomorrow: call", "2026-11-22", "call"), ("next monday Call", "2026-11-23", "Call"),
        ("Call 11/22", "2026-11-22", "Call"), ("Call 22.11.2026.", "2026-11-22", "Call."),
        ("Call 2026-11-22T09:00", "2026-11-22T09:00", "Call"),
        ("Call due:fri now", "2026-11-27", "Call now"),
        ("Call due:\"next monday\" now", "2026-11-23", "Call now"),
        ("Call in 3 days", "2026-11-24", "Call"), ("Call +3d", "2026-11-24", "Call"),
        ("Call at 9", "2026-11-22T09:00", "Call"), ("Call eom", "2026-11-30", "Call"),
        ("Pay on the 5th", "2026-12-05", "Pay"),
    ])
    func datesLeaveTheTitle(text: String, expected: String, title: String) throws {
        let item = try parser.capture(text)
        #expect(due(item) == expected)
        #expect(item.title == title)
    }

    @Test(arguments: [
        ("Call Ana (tomorrow)", "Call Ana"), ("Call Ana (fri #home)", "Call Ana"),
        ("Call Ana [due friday, #home] soon", "Call Ana soon"),
        ("((tomorrow)) call Ana", "call Ana"), ("Call Ana - tomorrow", "Call Ana"),
        ("Call Ana – tomorrow", "Call Ana"), ("Call Ana, tomorrow.", "Call Ana."),
        ("tomorrow - call Ana", "call Ana"), ("tomorrow: call Ana", "call Ana"),
        ("Starting tomorrow: run every day", "run"),
        ("Call Ana, tomorrow, about the car", "Call Ana, about the car"),
        ("Call Ana - tomorrow - about the car", "Call Ana - about the car"),
        ("Buy milk, #shopping", "Buy milk"), ("Pay tomorrow, #home, !high", "Pay"),
        ("#a, #b: paint", "paint"),
    ])
    func marksThatWouldHangGoWithWhatWasTaken(text: String, title: String) throws {
        #expect(try parser.capture(text).title == title)
    }

    @Test(arguments: [
        ("Learn C- tomorrow", "Learn C-"), ("Back up D: tomorrow", "Back up D:"),
        ("Call Ana (Bob) tomorrow", "Call Ana (Bob)"), ("\\- call tomorrow", "- call"),
        ("call tomorrow \\-", "call -"), ("call \\Ana, tomorrow", "call Ana,"),
        ("todo: paint tomorrow", "todo: paint"), ("a,b tomorrow", "a,b"),
        ("Paint -", "Paint -"), ("Paint ()", "Paint ()"), ("Call (Ana tomorrow)", "Call (Ana)"),
    ])
    func marksOfTheTitleStay(text: String, title: String) throws {
        #expect(try parser.capture(text).title == title)
    }

    @Test func startIsToldFromDue() throws {
        let item = try parser.capture("Paint from friday by 30 nov")
        #expect(item.start.map(format.plain) == "2026-11-27")
        #expect(due(item) == "2026-11-30")
        #expect(item.title == "Paint")
    }

    @Test func quotedNamesMayHoldAnything() throws {
        let item = try parser.capture(
            #"Dig +"Big project"/Sub/"a/b" #"two words" @"Café \"X\" \\", now"#
        )
        #expect(item.list == ["Big project", "Sub", "a/b"])
        #expect(item.tags == ["two words"])
        #expect(item.location == #"Café "X" \"#)
        #expect(item.title == "Dig, now")
    }

    @Test(arguments: [
        ("Paint after:12", [12], [], "Paint"), ("Paint waits:12,14 today", [12, 14], [], "Paint"),
        ("Buy blocks:15-17, now", [], [15, 16, 17], "Buy, now"),
        ("Buy before:3 after:3,3", [3], [3], "Buy"),
        ("Rest after:lunch", [], [], "Rest after:lunch"),
        ("Rest after:12:30", [], [], "Rest after:12:30"),
        ("Rest \\after:12", [], [], "Rest after:12"),
        ("A after:", [], [], "A after:"),
    ])
    func numbersOfOtherTasksAreRecognised(
        text: String,
        waits: [Int64],
        blocks: [Int64],
        title: String
    ) throws {
        let item = try parser.capture(text)
        #expect(item.waits == waits && item.blocks == blocks)
        #expect(item.title == title)
    }

    @Test func unicodeNamesWork() throws {
        let item = try parser.capture("Kauf Öl #küche #日本 +Ämter @Zürich #🏠 #привет.")
        #expect(item.tags == ["küche", "日本", "🏠", "привет"])
        #expect(item.list == ["Ämter"])
        #expect(item.location == "Zürich")
        #expect(item.title == "Kauf Öl.")
    }

    @Test func backslashKeepsAWordPlain() throws {
        let item = try parser.capture(##"Sing \tomorrow \#1st \+Home \!high \every day \\server"##)
        #expect(item.title == #"Sing tomorrow #1st +Home !high every day \server"#)
        #expect(item.tokens.allSatisfy { $0.kind == .escape })
        #expect(item.tokens.count == 6)
    }

    @Test func secondListStaysWithARemark() throws {
        let item = try parser.capture("Move +A +B @X @Y")
        #expect(item.list == ["A"])
        #expect(item.location == "X")
        #expect(item.title == "Move +B @Y")
        #expect(item.remarks.count == 2)
    }

    @Test func impossibleDateStaysWithARemark() throws {
        for text in ["Call 31 feb", "Call 2026-02-30", "Meet 25:00", "Call due:2026-02-30"] {
            let item = try parser.capture(text)
            #expect(item.title == text)
            #expect(item.due == nil)
            #expect(item.remarks.count == 1, "\(text)")
            #expect(item.tokens.map(\.kind) == [.impossibleDate])
        }
    }

    @Test func twoDaysSideBySideAreUnderstoodAsNone() throws {
        let item = try parser.capture("Call today tomorrow")
        #expect(item.due == nil)
        #expect(item.title == "Call today tomorrow")
        #expect(item.remarks.count == 2)
    }

    @Test func stretchOfTimeIsStartAndDue() throws {
        let item = try parser.capture("Workshop fri 14-16 for 45 min #x")
        #expect(item.title == "Workshop")
        #expect(item.start.map(format.plain) == "2026-11-27T14:00")
        #expect(due(item) == "2026-11-27T16:00")
        #expect(item.end == item.due)
        #expect(item.estimate == 45)
    }

    @Test func repetitionWithoutADateBeginsWithItsFirstOccurrence() throws {
        #expect(due(try parser.capture("Pay every monday")) == "2026-11-23")
        #expect(due(try parser.capture("Pay every monday at 9")) == "2026-11-23T09:00")
        #expect(due(try parser.capture("Pay rent at 9 every monday")) == "2026-11-23T09:00")
    }

    @Test func furtherLinesAreNotes() throws {
        let item = try parser.capture("\r\n\n  Title #a \r\n\r\n  line #b\r\nlast\n\n")
        #expect(item.title == "Title")
        #expect(item.tags == ["a"])
        #expect(item.notes == "  line #b\nlast")
        let token = try #require(item.tokens.first)
        #expect(String(decoding: Array(item.text.utf8)[token.range], as: UTF8.self) == "#a")
    }

    @Test(arguments: ["", "   ", "\n\n", "\u{1B}\u{7}", "#a +b !high tomorrow", "\u{A0}\u{3000}"])
    func emptyTitleIsRefused(text: String) {
        let error = #expect(throws: InputError.self) { try parser.capture(text) }
        #expect(error?.kind == .emptyTitle)
    }

    @Test func controlCharactersAndInvalidBytesAreDealtWith() throws {
        let item = parser.read(Array("A\u{1B}[31mb\tc\u{0}d\u{85}rest".utf8))
        #expect(item.title == "A[31mb cd")
        #expect(item.notes == "rest")
        let broken = parser.read([0x41, 0xFF, 0xC3, 0x20, 0x23, 0x62, 0xE2, 0x80])
        #expect(broken.title == "A\u{FFFD}\u{FFFD}")
        #expect(broken.tags == ["b\u{FFFD}"])
    }

    @Test(arguments: [
        ("Water every 2 weeks", "every 2 weeks"),
        ("Water every mon, wed and fri", "every mon, wed and fri"),
        ("Water every other day", "every other day"), ("Water every! 3d", "every! 3d"),
        ("Pay every month on the 15th", "every month on the 15th"),
        ("Pay every last friday of the month", "every last friday of the month"),
        ("Pay every 22 nov", "every 22 nov"), ("Pay weekly", "weekly"),
        ("Pay every week until 2027-01-01", "every week until 2027-01-01"),
        ("Pay every 3 days after completion", "every 3 days after completion"),
        ("Pay every day for 5 times", "every day for 5 times"),
        ("Pay every weekday.", "every weekday"),
    ])
    func repetitionsAreKeptAsText(text: String, expected: String) throws {
        #expect(try parser.capture(text).recurrence == expected)
    }

    @Test func repetitionAndTimeStandSideBySide() throws {
        let item = try parser.capture("Stretch every day at 9:30 #x")
        #expect(item.recurrence == "every day at 9:30")
        #expect(due(item) == "2026-11-22T09:30")
        #expect(item.title == "Stretch")
    }

    /// Today is Sat 21 Nov 2026.
    @Test(arguments: [
        ("Ship start:wednesday due:tuesday", "2026-12-01"),
        ("Ship due:tuesday start:wednesday", "2026-12-01"),
        ("Ship start:monday due:friday", "2026-11-27"),
    ])
    func markedDueDateIsSoughtAfterTheStart(text: String, expected: String) throws {
        let item = try parser.capture(text)
        #expect(due(item) == expected)
        #expect(item.remarks.isEmpty)
    }

    @Test func startAfterTheDueDateIsTold() throws {
        let item = try parser.capture("Ship start:friday due:tomorrow")
        #expect(due(item) == "2026-11-22")
        #expect(item.remarks == ["It starts after it is due."])
    }

    @Test func hourThatAnotherWordMakesAnEveningIsToldWithTheRepetition() throws {
        let item = try parser.capture("Dinner every friday at 7")
        #expect(item.recurrence == "every Friday at 19:00")
        #expect(due(item)?.hasSuffix("T19:00") == true)
        #expect(try parser.capture("Call Ana every friday at 7").recurrence == "every friday at 7")
    }
}
