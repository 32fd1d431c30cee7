import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Calendars in a library.
@Suite("Import and export of calendars")
struct ICalendarImportTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private static let calendar = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//example//test//EN
        X-WR-CALNAME:House
        X-UNKNOWN;A="b;c":kept
        BEGIN:VTODO
        UID:fence
        DTSTAMP:20260102T000000Z
        CREATED:20260101T000000Z
        LAST-MODIFIED:20260102T000000Z
        SUMMARY:Paint the fence
        CATEGORIES:Outdoor
        PRIORITY:4
        DUE:20261124T080000Z
        X-OC-HIDESUBTASKS:1
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;RELATED=END:-PT30M
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:paint
        DTSTAMP:20260102T000000Z
        CREATED:20260101T000000Z
        LAST-MODIFIED:20260102T000000Z
        SUMMARY:Buy paint
        RELATED-TO:fence
        END:VTODO
        END:VCALENDAR

        """.replacing("\n", with: "\r\n")

    @discardableResult
    private func load(_ text: String) throws -> ImportOutcome {
        try library.importItems(.icalendar, from: Array(text.utf8))
    }

    private func export() throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(.icalendar) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func item(_ title: String) throws -> Item {
        try #require(try library.items(matching: nil).first { $0.title == title })
    }

    @Test func aCalendarComesBackByteForByteAndASecondTimeChangesNothing() throws {
        #expect(try load(Self.calendar).added == 2)
        #expect(try export() == Self.calendar)
        let before = try library.everything()
        let again = try load(Self.calendar)
        #expect(again.added == 0 && again.updated == 0 && !again.report.hasDetails)
        #expect(try library.undoSteps(limit: 9).count == 1)
        #expect(try library.everything() == before)
        _ = try library.undo()
        #expect(try library.items(matching: nil).isEmpty)
    }

    /// Names that the library has in another letter case, and items from elsewhere before them.
    @Test func aCalendarBesideOthersKeepsItsComponents() throws {
        _ = try library.addTask(capturing: "Own +house #outdoor")
        try load(Self.calendar)
        let text = try export()
        let component = Self.calendar.split(separator: "kept\r\n")[1]
            .split(separator: "END:VCALENDAR")[0]
        let plain = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-DOCKET-LIST") }
        #expect(plain.joined(separator: "\r\n").contains(component.dropLast(2)), "\(text)")
        #expect(try load(Self.calendar).updated == 0)
        #expect(try load(text).updated == 0)
    }

    @Test func whatWasChangedHereIsNotReplacedByOlderData() throws {
        try load(Self.calendar)
        try library.edit(try item("Paint the fence"), [FieldChange("title=Mine")])
        let outcome = try load(Self.calendar)
        #expect(outcome.updated == 0)
        #expect(
            outcome.report.left.map(\.reason) == [
                "It was changed here later than in the file: title."
            ]
        )
        #expect(try export().contains("SUMMARY:Mine\r\n"))
        let newer = Self.calendar.replacing(
            "LAST-MODIFIED:20260102",
            with: "LAST-MODIFIED:20990102"
        )
        #expect(try load(newer).report.updated.first?.reason.hasPrefix("title") == true)
        #expect(try item("Paint the fence").title == "Paint the fence")
    }

    @Test func ownItemsComeBackUnchangedAndTheTrashStays() throws {
        _ = try library.addTask(capturing: "Task +Home/Garden #x !high tomorrow 9:30 @Shop\nmilk")
        let note = try library.addNote(capturing: "Note +Home\nbody\nmore")
        _ = try library.addTask(capturing: "Water every tuesday 9:00")
        try load(Self.calendar)
        try library.trash([try item("Buy paint")])
        try library.setFlagged(true, of: [note])
        let before = try library.everything()
        let text = try export()
        for document in [text, Self.calendar] {
            let outcome = try load(document)
            #expect(outcome.updated == 0 && outcome.added == 0, "\(outcome.report.details())")
        }
        #expect(try library.everything() == before)
    }

    @Test func subtasksAreBelowTheirTaskAndRemindersAreSet() throws {
        try load(Self.calendar)
        let task = try #require(try item("Paint the fence") as? Task)
        #expect((try item("Buy paint") as? Task)?.parent === task)
        #expect(task.remindTimes == "-PT30M" && task.list?.name == "House")
        try library.complete([task])
        let text = try export()
        #expect(text.contains("STATUS:COMPLETED\r\n") && text.contains("PERCENT-COMPLETE:100\r\n"))
        #expect(text.contains("X-OC-HIDESUBTASKS:1\r\n"))
    }

    /// A parent that there is not, and a task that waits for itself over another one.
    @Test func relationsThatCannotBeAreKeptAndMakeNoStep() throws {
        let text = Self.calendar
            .replacing("X-OC-HIDESUBTASKS:1", with: "RELATED-TO;RELTYPE=DEPENDS-ON:paint")
            .replacing("PRIORITY:4", with: "RELATED-TO:shed")
            .replacing(
                "SUMMARY:Buy paint",
                with: "RELATED-TO;RELTYPE=DEPENDS-ON:fence\r\nSUMMARY:Buy paint"
            )
        let first = try load(text)
        #expect(first.added == 2 && first.report.changed.count == 2)
        #expect(try export() == text)
        for _ in 0..<2 {
            let again = try load(text)
            let report = again.report
            #expect(again.updated == 0 && report.changed.count == 2 && report.left.isEmpty)
        }
        #expect(try library.undoSteps(limit: 9).count == 1)

        // What is changed here does not take them away.
        try library.edit(try item("Paint the fence"), [FieldChange("title=Mine")])
        let lines = Set(try export().split(separator: "\r\n"))
        let lost = Set(text.split(separator: "\r\n")).subtracting(lines)
        #expect(lost.allSatisfy { $0.hasPrefix("SUMMARY") || $0.contains("20260102T000000Z") })
        _ = try library.undo()

        // The parent comes with another file.
        try load(
            """
            BEGIN:VTODO
            UID:shed
            LAST-MODIFIED:20260102T000000Z
            SUMMARY:Build the shed
            END:VTODO
            """
        )
        #expect(try load(text).report.updated.map(\.reason).first?.contains("parent") == true)
        let fence = try #require(try item("Paint the fence") as? Task)
        #expect(fence.parent?.title == "Build the shed")
        #expect(try load(text).updated == 0)
        #expect(try export().contains("RELATED-TO:shed\r\n"))

        // Now it is known, so taking it away is a change like any other.
        try library.edit(fence, [FieldChange("parent=")])
        #expect(try !export().contains("RELATED-TO:shed\r\n"))
    }

    /// A component is not another one because its number is.
    @Test func numbersOfAnotherOrderMakeNoStep() throws {
        _ = try library.addTask(capturing: "Own")
        let text = Self.calendar.replacing("PRIORITY:4", with: "X-APPLE-SORT-ORDER:5")
        try load(text)
        let own = try export()
        // It is the calendar with its numbers, although another item comes first.
        #expect(own.contains("X-UNKNOWN") && own.contains("X-APPLE-SORT-ORDER:5\r\n"))
        let other = text.replacing("ORDER:5", with: "ORDER:7")
        for document in [own, text, other] { #expect(try load(document).updated == 0) }
        #expect(try library.undoSteps(limit: 9).count == 2)
    }

    @Test func aCircleOfParentsIsReportedAndExportedAgain() throws {
        let circle = Self.calendar.replacing("PRIORITY:4", with: "RELATED-TO:paint")
        let outcome = try load(circle)
        #expect(outcome.report.isComplete)
        #expect(outcome.report.changed.filter { $0.reason.contains("of itself") }.count == 1)
        let tasks = try library.items(matching: nil).compactMap { $0 as? Task }
        #expect(tasks.filter { $0.parent != nil }.count == 1)
        #expect(try export().contains("RELATED-TO:paint\r\n"))
        #expect(try load(circle).updated == 0)
    }
}
