import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Import of items that exist already, and of files that contradict themselves.
@Suite("Import of items that exist already")
struct ImportAgainTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private static let uuids = (0..<9).map { "11111111-1111-4111-8111-11111111111\($0)" }

    @discardableResult
    private func load(
        _ text: String,
        _ format: ExchangeFormat = .json,
        skipsBroken: Bool = false,
        isDryRun: Bool = false
    ) throws -> ImportOutcome {
        try library.importItems(
            format,
            from: Array(text.utf8),
            broken: skipsBroken ? .skip : .refuseAll,
            isDryRun: isDryRun
        )
    }

    private func item(_ title: String) throws -> Item? {
        try library.items(matching: nil).first { $0.title == title }
    }

    private func titles() throws -> [String] { try library.items(matching: nil).map(\.title) }

    /// One item in a format that says when it was changed.
    private func stamped(_ format: ExchangeFormat, _ title: String, _ time: String) -> String {
        let uuid = Self.uuids[0]
        return format == .json
            ? "{\"uuid\":\"\(uuid)\",\"title\":\"\(title)\",\"created\":\"2020-01-01T00:00:00Z\","
                + "\"modified\":\"\(time)\"}"
            : "{\"uuid\":\"\(uuid)\",\"status\":\"pending\",\"description\":\"\(title)\","
                + "\"entry\":\"20200101T000000Z\",\"modified\":\"\(time)\"}"
    }

    @Test(arguments: [ExchangeFormat.json, .taskwarrior])
    func whatIsOlderThanTheChangeHereIsLeft(format: ExchangeFormat) throws {
        try load(stamped(format, "old", "2020-01-02T00:00:00Z"), format)
        try library.edit(try #require(try item("old")), [FieldChange("title=mine")])
        let outcome = try load(stamped(format, "theirs", "2020-01-03T00:00:00Z"), format)
        #expect(try titles() == ["mine"])
        #expect(outcome.updated == 0 && outcome.report.updated.isEmpty)
        #expect(
            Array(outcome.report.left) == [
                ExchangeReport.Entry(
                    line: 1,
                    title: "mine",
                    reason: "It was changed here later than in the file: title."
                )
            ]
        )
        #expect(outcome.report.details().contains("line 1, not updated “mine”: It was changed"))
        #expect(try library.undoSteps(limit: 9).count == 2)
    }

    @Test(arguments: [ExchangeFormat.json, .taskwarrior])
    func whatIsNewerIsTakenAndListed(format: ExchangeFormat) throws {
        try load(stamped(format, "old", "2020-01-02T00:00:00Z"), format)
        try library.edit(
            try #require(try item("old")),
            [FieldChange("title=mine"), FieldChange("flagged=yes"), FieldChange("parent=")]
        )
        // Changed on both sides, later there.
        let text = stamped(format, "theirs", "2099-01-03T00:00:00Z")
        let dry = try load(text, format, isDryRun: true)
        #expect(try titles() == ["mine"])
        #expect(try library.undoSteps(limit: 9).count == 2)
        let outcome = try load(text, format)
        #expect(dry.report == outcome.report && dry.updated == 1 && outcome.updated == 1)
        let fields = format == .json ? "title, flagged." : "title."
        #expect(
            Array(outcome.report.updated)
                == [ExchangeReport.Entry(line: 1, title: "mine", reason: fields)]
        )
        // What Taskwarrior cannot say is not lost by its saying nothing.
        #expect(try item("theirs")?.flagged == (format == .taskwarrior))
        #expect(try load(text, format).updated == 0)
        #expect(try library.undo()?.step.name == "Imported 1 item")
        #expect(try titles() == ["mine"])
    }

    @Test(arguments: [ExchangeFormat.json, .taskwarrior])
    func anExportThatComesBackChangesNothing(format: ExchangeFormat) throws {
        _ = try library.addTask(capturing: "Task +Home #x !high tomorrow 9:30 @Shop\nbuy milk")
        let note = try library.addNote(capturing: "Note +Home\nbody\nmore")
        _ = try library.addTask(capturing: "gone")
        try library.trash([try library.item(.number(3))])
        try library.setFlagged(true, of: [note])
        let before = try library.everything()
        var bytes: [UInt8] = []
        _ = try library.export(format) { bytes += $0 }
        let outcome = try library.importItems(format, from: bytes)
        #expect(outcome.updated == 0 && outcome.added == 0, "\(outcome.report.details())")
        #expect(outcome.report.left.isEmpty)
        #expect(try library.everything() == before)
    }

    @Test func aFileWithoutTimesIsComparedWithWhatItBroughtLast() throws {
        func text(_ title: String) -> String {
            "{\"uuid\":\"\(Self.uuids[0])\",\"title\":\"\(title)\"}"
        }
        try load(text("one"))
        // Changed there only.
        #expect(try load(text("two")).updated == 1)
        #expect(try titles() == ["two"])
        // Changed here only.
        try library.edit(try #require(try item("two")), [FieldChange("title=mine")])
        let same = try load(text("two"))
        #expect(same.updated == 0 && !same.report.hasDetails)
        #expect(try titles() == ["mine"])
        // Changed on both sides.
        let why = "It was changed here, and the file does not say when it was changed there: title."
        let both = try load(text("three"))
        #expect(both.updated == 0 && both.report.left.map(\.reason) == [why])
        #expect(try titles() == ["mine"])
        // An item that nobody changed since it was made has nothing to lose.
        let own = try library.addTask(capturing: "own")
        #expect(try load("{\"uuid\":\"\(own.uuid)\",\"title\":\"other\"}").updated == 1)
        #expect(own.title == "other")
        try library.edit(own, [FieldChange("title=mine too")])
        let changed = try load("{\"uuid\":\"\(own.uuid)\",\"title\":\"another\"}")
        #expect(changed.updated == 0 && changed.report.left.map(\.reason) == [why])
    }

    @Test func aLineOfTodoTxtThatStayedTheSameDoesNotTakeAChangeBack() throws {
        let uuid = Self.uuids[0]
        try load("Call Mum +Family\nwith key uuid:\(uuid)\nthird\n", .todotxt)
        try library.edit(
            try #require(try item("Call Mum")),
            [FieldChange("title=Call Dad"), FieldChange("notes=at home")]
        )
        try library.edit(try #require(try item("with key")), [FieldChange("notes=kept")])
        try library.trash([try #require(try item("third"))])
        let again = try load("Call Mum +Family\nwith key uuid:\(uuid)\nthird\n", .todotxt)
        #expect(again.added == 0 && again.updated == 0 && !again.report.hasDetails)
        #expect(try titles() == ["Call Dad", "with key", "third"])
        #expect(try item("third")?.trashed != nil)
        // A line that changed is taken if the item says what the last line said; its notes stay.
        let changed = try load("(A) with this key uuid:\(uuid)\n", .todotxt)
        #expect(changed.report.updated.map(\.reason) == ["title, priority."])
        #expect(try item("with this key")?.notes == "kept")
        try library.edit(try #require(try item("with this key")), [FieldChange("title=mine")])
        let both = try load("(B) theirs uuid:\(uuid)\n", .todotxt)
        #expect(both.updated == 0)
        #expect(
            both.report.left.map(\.reason) == [
                "It was changed here, and the file does not say when it was changed there: "
                    + "title, priority."
            ]
        )
        #expect(try item("mine") != nil)
    }

    @Test(arguments: ExchangeFormat.imported)
    func aFileThatIsKnownIsReadOnce(format: ExchangeFormat) throws {
        for title in ["alpha", "beta", "gamma"] { try library.addTask(capturing: title) }
        var bytes: [UInt8] = []
        _ = try library.export(format) { bytes += $0 }
        var (passes, backups) = (0, 0)
        func load(_ bytes: [UInt8]) throws -> ImportOutcome {
            let source = ByteSource {
                passes += 1
                var rest: [UInt8]? = bytes
                return {
                    defer { rest = nil }
                    return rest
                }
            }
            return try library.importItems(format, from: source, beforeWriting: { backups += 1 })
        }
        let known = try load(bytes)
        #expect(known.sentence() == "Nothing changed: 3 items read, all known already")
        #expect(known.report.kept == 3 && backups == 0)
        let once = passes
        let edited = String(decoding: bytes, as: UTF8.self).replacing("beta", with: "delta")
        let more = try load(Array(edited.utf8))
        #expect(more.report.kept == 3 && more.added + more.updated > 0 && backups == 1)
        #expect(passes == 3 * once)
    }

    @Test func whatWasPutIntoTheTrashHereStaysThere() throws {
        let text = stamped(.json, "old", "2020-01-02T00:00:00Z")
        try load(text)
        try library.trash([try #require(try item("old"))])
        let outcome = try load(text)
        #expect(
            outcome.report.left.map(\.reason) == [
                "It was changed here later than in the file: trashed."
            ]
        )
        #expect(try item("old")?.trashed != nil)
    }

    @Test func aUUIDThatComesTwiceIsReported() throws {
        let lines = [
            "{\"uuid\":\"\(Self.uuids[0])\",\"title\":\"A\"}",
            "{\"uuid\":\"\(Self.uuids[0])\",\"title\":\"A\"}",
            "{\"uuid\":\"\(Self.uuids[1])\",\"title\":\"B\",\"modified\":\"2020-01-01T00:00:00Z\"}",
            "{\"uuid\":\"\(Self.uuids[1])\",\"title\":\"C\",\"modified\":\"2021-01-01T00:00:00Z\"}",
            "{\"uuid\":\"\(Self.uuids[1])\",\"title\":\"D\"}",
        ]
        let refused = try load(lines.joined(separator: "\n"))
        #expect(refused.added == 0 && !refused.report.isComplete)
        #expect(refused.report.skipped.map(\.line) == [3, 5])
        #expect(
            refused.report.skipped.map(\.reason)
                == [4, 4].map { "Line \($0) has the same UUID and other content." }
        )
        #expect(try titles().isEmpty)
        let rest = try load(lines.joined(separator: "\n"), skipsBroken: true)
        #expect(rest.added == 2)
        #expect(rest.report.changed.map(\.reason) == ["It occurs again in line 2."])
        #expect(try titles() == ["A", "C"])
    }

    @Test func aParentThatWouldCloseACircleIsLeftOut() throws {
        func line(_ own: Int, _ parent: Int?) -> String {
            "{\"uuid\":\"\(Self.uuids[own])\",\"title\":\"\(own)\""
                + (parent.map { ",\"parent\":\"\(Self.uuids[$0])\"" } ?? "") + "}"
        }
        // 0 → 1 → 2 → 1 is a circle of two; 3 → 3; 4 is a subtask of that one.
        let text = [line(0, 1), line(1, 2), line(2, 1), line(3, 3), line(4, 3), line(5, nil)]
            .joined(separator: "\n")
        let outcome = try load(text)
        #expect(outcome.added == 6 && outcome.report.isComplete)
        #expect(outcome.report.changed.map(\.line) == [3, 4])
        #expect(outcome.report.changed.allSatisfy { $0.reason.contains("subtask of itself") })
        let parents = try library.items(matching: nil).compactMap { $0 as? Task }.map {
            "\($0.title)\($0.parent.map { "<\($0.title)" } ?? "")"
        }
        #expect(Set(parents) == ["0<1", "1<2", "2", "3", "4<3", "5"])
    }

    @Test func aCircleWithWhatIsThereIsLeftOut() throws {
        let top = try library.addTask(capturing: "top")
        let below = try library.addTask(capturing: "below")
        try library.setParent(top, of: [below])
        let outcome = try load(
            "{\"uuid\":\"\(top.uuid)\",\"title\":\"top\",\"parent\":\"\(below.uuid)\","
                + "\"modified\":\"2099-01-01T00:00:00Z\"}"
        )
        #expect(
            outcome.report.changed.map(\.reason)
                == ["With its parent it would be a subtask of itself; the parent was left out."]
        )
        #expect(top.parent == nil && below.parent === top)
    }

    @Test func tasksThatWaitInACircleAndForNothingAreImportedOnce() throws {
        func line(_ own: Int, _ others: [Int]) -> String {
            "{\"uuid\":\"\(Self.uuids[own])\",\"title\":\"\(own)\",\"depends\":"
                + "[\(others.map { "\"\(Self.uuids[$0])\"" }.joined(separator: ","))],"
                + "\"parent\":\"\(Self.uuids[8])\"}"
        }
        // 0 → 1 → 2 → 0 is a circle; 3 → 3; nobody has brought 7 and 8.
        let text = [line(0, [1]), line(1, [2]), line(2, [0, 3]), line(3, [3, 7])]
            .joined(separator: "\n")
        let first = try load(text)
        #expect(first.added == 4)
        let told = first.report.changed.map(\.reason).sorted()
        #expect(told.count { $0.contains("parent is neither") } == 4)
        #expect(
            told.filter { !$0.contains("parent is neither") } == [
                "A task cannot wait for itself; the relation was left out.",
                "A task that it waits for is neither in the file nor in the library; "
                    + "the relation was left out.",
                "It cannot wait for \"0\", which waits for it; the relation was left out.",
            ]
        )
        let last = try #require(try item("2") as? Task)
        #expect(last.blockedBy.map(\.title) == ["3"])
        let again = try load(text)
        #expect(again.updated == 0 && again.report.changed.map(\.reason).sorted() == told)
        #expect(try library.undoSteps(limit: 10).count == 1)
        // What has come in the meantime is found.
        try load("{\"uuid\":\"\(Self.uuids[8])\",\"title\":\"8\"}")
        #expect(try load(text).updated == 4)
        #expect(last.parent?.title == "8")
    }

    @Test(arguments: [ExchangeFormat.json, .taskwarrior, .todotxt])
    func namesInSeveralLetterCasesAreReportedOnce(format: ExchangeFormat) throws {
        let text =
            switch format {
            case .json:
                "{\"title\":\"a\",\"list\":\"Home\",\"tags\":[\"x\"]}\n"
                    + "{\"title\":\"b\",\"list\":\"home\",\"tags\":[\"X\"]}\n"
                    + "{\"title\":\"c\",\"list\":\"home\",\"tags\":[\"X\"]}"
            case .taskwarrior:
                "{\"description\":\"a\",\"project\":\"Home\",\"tags\":[\"x\"]}\n"
                    + "{\"description\":\"b\",\"project\":\"home\",\"tags\":[\"X\"]}\n"
                    + "{\"description\":\"c\",\"project\":\"home\",\"tags\":[\"X\"]}"
            default: "a +Home #x\nb +home #X\nc +home #X\n"
            }
        let outcome = try load(text, format)
        let told = outcome.report.changed.filter { $0.reason.contains("exists as") }
        #expect(
            told.map(\.reason) == [
                "The list “home” exists as “Home”; the item was put there.",
                "The tag “X” exists as “x”; the item got that one.",
            ]
        )
        #expect(told.map(\.line) == [2, 2])
        #expect(try library.lists().map(\.name) == ["Home"])
        #expect(try library.tags().map(\.name) == ["x"])
        var bytes: [UInt8] = []
        _ = try library.export(format) { bytes += $0 }
        let back = String(decoding: bytes, as: UTF8.self)
        if format == .todotxt { #expect(back == text) }
        if format == .taskwarrior {
            #expect(back.contains("\"project\":\"home\",\"tags\":[\"X\"]"), "\(back)")
        }
        #expect(try library.importItems(format, from: bytes).updated == 0)
    }
}
