import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Smart lists in Docket's JSON, and what other formats say of them.
@Suite struct SmartListExchangeTests {
    private func filled(_ library: Library) throws {
        try library.addTask(capturing: "Pay rent !high #bank +Home")
        _ = try library.addSmartList(
            SmartListValues(
                name: "Am \"Ufer\" 🌱",
                query: "tag:bank or title:~^p",
                sort: SortWord(.created, isReversed: true),
                grouping: .list
            )
        )
        _ = try library.addSmartList(
            SmartListValues(name: "All mine", query: "rent", isHidden: true)
        )
        var values = SmartListValues(SmartList.today)
        values.query = "due:today or is:flagged"
        try library.edit(.today, values)
        try library.move(#require(try library.smartLists().named("all mine")), by: -1)
    }

    private func json(_ library: Library) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try library.export(.json) { bytes += $0 }
        return bytes
    }

    @Test func everyListComesBackAsItWasAndTheSecondImportChangesNothing() throws {
        let (folder, other) = (try LibraryFolder(), try LibraryFolder())
        let (library, copy) = (try folder.open(), try other.open())
        try filled(library)
        let bytes = try json(library)
        let outcome = try copy.importItems(.json, from: bytes)
        #expect(outcome.smartLists == 3 && outcome.added == 1)
        #expect(outcome.sentence() == "Imported 1 item and 3 smart lists")
        #expect(try json(copy) == bytes)
        #expect(try copy.smartListRecords() == library.smartListRecords())
        let before = try copy.latestTransaction()
        let again = try copy.importItems(.json, from: bytes)
        #expect(again.smartLists == 0)
        #expect(try copy.latestTransaction() == before)
        // Items and lists are one step.
        _ = try copy.undo()
        #expect(try copy.count(nil) == 0)
        #expect(try copy.smartListRecords() == [])
        _ = try copy.redo()
        #expect(try copy.smartListRecords() == library.smartListRecords())
    }

    @Test func aListOfTheSameNameStaysAsItIsHere() throws {
        let (folder, other) = (try LibraryFolder(), try LibraryFolder())
        let (library, copy) = (try folder.open(), try other.open())
        try filled(library)
        _ = try copy.addSmartList(SmartListValues(name: "ALL MINE", query: "mine"))
        let outcome = try copy.importItems(.json, from: json(library))
        #expect(outcome.smartLists == 2)
        #expect(try copy.smartLists().named("all mine")?.query == "mine")
        #expect(try copy.smartLists().named("am \"ufer\" 🌱")?.grouping == .list)
    }

    @Test(arguments: [
        #"[{"kind":"smartList","title":"x"}]"#, #"[{"kind":"smartList","search":"rent"}]"#,
        #"[{"kind":"smartList","title":"x","search":3}]"#,
        #"[{"kind":"smartList","title":"x","search":"rent","hidden":"yes"}]"#,
    ])
    func whatIsNoListIsRefusedWithItsLine(document: String) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let outcome = try library.importItems(.json, from: Array(document.utf8))
        #expect(!outcome.report.isComplete && outcome.report.skipped.first?.line == 1)
        #expect(try library.smartListRecords() == [])
    }

    @Test(arguments: [ExchangeFormat.taskwarrior, .todotxt, .text])
    func otherFormatsSayThatListsAreLeftOut(format: ExchangeFormat) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try filled(library)
        let report = try library.export(format) { _ in }
        #expect(
            report.skipped.map(\.reason)
                == ["3 smart lists are left out; only Docket's JSON has them."]
        )
    }

    @Test func aSearchThatMeansNothingHereIsKeptAndSaysSo() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let document =
            #"[{"kind":"smartList","title":"x","search":"tag:later","sort":"new","order":7}]"#
        #expect(try library.importItems(.json, from: Array(document.utf8)).smartLists == 1)
        let list = try #require(try library.smartLists().named("x"))
        #expect(list.problem(library.clock()) == "The tag #later does not exist.")
        try library.addTask(capturing: "One #later")
        let now = try #require(try library.smartLists().named("x"))
        #expect(try library.count(now.countedCondition(library.clock())) == 1)
    }
}
