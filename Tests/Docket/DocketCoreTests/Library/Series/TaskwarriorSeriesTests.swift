import ChildProcess
import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Taskwarrior's templates and the tasks made from them.
///
/// Today is Saturday, 21 November 2026, 14:05 in Berlin.
@Suite struct TaskwarriorSeriesTests {
    private static let template = "00000000-0000-4000-8000-0000000000aa"

    /// A template, due Monday, 2 November, at 9:00.
    private func template(
        _ mask: String?,
        recur: String = "weekly",
        status: String = "recurring",
        more: String = ""
    ) -> String {
        let mask = mask.map { "\"mask\":\"\($0)\"," } ?? ""
        return """
            {"uuid":"\(Self.template)","description":"Water","status":"\(status)",\(mask)\(more)
            "due":"20261102T080000Z","recur":"\(recur)","entry":"20261101T120000Z",
            "modified":"20261101T120000Z","rtype":"periodic","color":"green"}
            """
    }

    private func child(
        _ index: Int,
        _ status: String,
        due: String,
        recur: String = "weekly",
        more: String = ""
    ) -> String {
        let end = status == "pending" ? "" : "\"end\":\"20261115T120000Z\","
        return """
            {"uuid":"00000000-0000-4000-8000-00000000000\(index)","description":"Water",
            "status":"\(status)",\(end)\(more)"due":"\(due)T080000Z","recur":"\(recur)",
            "entry":"20261101T120000Z","modified":"20261115T120000Z","imask":\(index),
            "parent":"\(Self.template)","rtype":"periodic"}
            """
    }

    private func list(_ objects: [String]) -> String {
        "[" + objects.joined(separator: ",\n").replacing("\n", with: "") + "]"
    }

    private func library(_ objects: [String]) throws -> (LibraryFolder, Library) {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        _ = try library.importItems(.taskwarrior, from: Array(list(objects).utf8))
        return (folder, library)
    }

    /// The tasks that are not in the trash, by due date: due date, `x` if done, rule.
    private func tasks(_ library: Library) throws -> [String] {
        try Task.all(in: library.context, where: \.trashed == nil)
            .sorted { ($0.due ?? .now) < ($1.due ?? .now) }
            .map { task in
                "\(task.dueDate.map(Fixed.plain) ?? "-")\(task.isDone ? " x" : "")"
                    + (task.rule.map { " \($0)" } ?? "")
            }
    }

    /// The tasks of an export by UUID, without the fields that Taskwarrior computes.
    private func objects(_ text: String) throws -> [String: [String: JSONValue]] {
        var scanner = JSONScanner(ByteSource(Array(text.utf8)))
        guard case .array(let elements) = try scanner.value() else { return [:] }
        var result: [String: [String: JSONValue]] = [:]
        for case .object(let members) in elements {
            var object: [String: JSONValue] = [:]
            for member in members where !["id", "urgency"].contains(member.name) {
                object[member.name] = member.value
            }
            // Taskwarrior writes a number that it has read as 0.000000.
            if case .number(let text)? = object["imask"] {
                object["imask"] = .number("\(Int(Double(text) ?? -1))")
            }
            result[object["uuid"]?.string ?? ""] = object
        }
        return result
    }

    private func export(_ library: Library) throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(.taskwarrior) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func recurWithoutDueIsKept() throws {
        let task = """
            {"uuid":"00000000-0000-4000-8000-00000000000a","description":"A","status":"pending",
             "entry":"20261101T120000Z","modified":"20261101T120000Z","recur":"2wks"}
            """
        let (folder, library) = try library([task])
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library) == ["- FREQ=WEEKLY;INTERVAL=2"] || tasks(library) == ["- 2wks"])
        let object = try #require(try objects(export(library)).values.first)
        #expect(object["recur"] == .string("2wks") && object["due"] == nil)
        #expect(object["status"] == .string("pending") && object["parent"] == nil)
    }

    // MARK: Reading

    @Test func theOpenOccurrenceOfATemplateGoesOnAndAllComeBackWhole() throws {
        let all = [
            template("+X--"), child(0, "completed", due: "20261102"),
            child(1, "deleted", due: "20261109"), child(2, "pending", due: "20261116"),
            child(3, "pending", due: "20261123"),
        ]
        let (folder, library) = try library(all)
        defer { withExtendedLifetime(folder) {} }
        #expect(
            try tasks(library) == [
                "2026-11-02T09:00 x weekly", "2026-11-16T09:00 weekly", "2026-11-23T09:00 weekly",
            ]
        )
        let written = try export(library)
        let (old, new) = (try objects(list(all)), try objects(written))
        for (uuid, object) in old { #expect(new[uuid] == object, "\(uuid)") }
        #expect(new.count == old.count)
        // The same file once more is the same.
        let before = try library.latestTransaction()
        let again = try library.importItems(.taskwarrior, from: Array(list(all).utf8))
        #expect(again.added == 0 && again.updated == 0, "\(again.report.details())")
        let own = try library.importItems(.taskwarrior, from: Array(written.utf8))
        #expect(own.added == 0 && own.updated == 0, "\(own.report.details())")
        #expect(try library.latestTransaction() == before)
    }

    @Test func anEarlierOpenOccurrenceMakesNoNextOneBesideTheLaterOne() throws {
        let (folder, library) = try library([
            template("--"), child(0, "pending", due: "20261116"),
            child(1, "pending", due: "20261123"),
        ])
        defer { withExtendedLifetime(folder) {} }
        let both = try Task.all(in: library.context, sortedBy: \.due)
        try library.complete([both[0]])
        #expect(
            try tasks(library) == ["2026-11-16T09:00 x weekly", "2026-11-23T09:00 weekly"]
        )
        try library.complete([both[1]])
        #expect(try tasks(library).last == "2026-11-30T09:00 weekly")
        #expect(try tasks(library).count == 3)
    }

    @Test func completingHereIsWrittenIntoTheMask() throws {
        let (folder, library) = try library([
            template("+-"), child(0, "completed", due: "20261102"),
            child(1, "pending", due: "20261109"),
        ])
        defer { withExtendedLifetime(folder) {} }
        let open = try #require(
            try Task.all(in: library.context, where: \.completed == nil).first
        )
        try library.complete([open])
        // 16 November is missed.
        #expect(try tasks(library).last == "2026-11-23T09:00 weekly")
        let new = try objects(try export(library))
        #expect(new.count == 4)
        let template = new[Self.template]
        #expect(template?["mask"] == .string("++X-"))
        #expect(template?["status"] == .string("recurring"))
        #expect(template?["color"] == .string("green"))
        let next = try #require(new.values.first { $0["due"] == .string("20261123T080000Z") })
        #expect(next["imask"] == .number("3") && next["parent"] == .string(Self.template))
        #expect(next["recur"] == .string("weekly") || next["recur"] == .string("P1W"))
    }

    @Test func anEndedSeriesHasADeletedTemplate() throws {
        let (folder, library) = try library([
            template("-"), child(0, "pending", due: "20261123"),
        ])
        defer { withExtendedLifetime(folder) {} }
        let open = try #require(try Task.all(in: library.context).first)
        try library.endSeries(of: [open])
        let new = try objects(try export(library))
        #expect(new[Self.template]?["status"] == .string("deleted"))
        let (again, second) = try self.library(
            [try export(library)].map {
                String($0.dropFirst(2).dropLast(3))
            }
        )
        defer { withExtendedLifetime(again) {} }
        #expect(try tasks(second) == ["2026-11-23T09:00"])
    }

    /// The mask, whether its tasks are in the file, what there is then.
    @Test(
        arguments: [
            (nil, [], ["2026-11-02T09:00 weekly"]),
            (
                "++", ["completed", "completed"],
                [
                    "2026-11-02T09:00 x weekly", "2026-11-09T09:00 x weekly",
                    "2026-11-16T09:00 weekly",
                ]
            ),
            ("X", [], ["2026-11-09T09:00 weekly"]),
            // Its task is not in this file.
            ("-", [], []),
        ] as [(String?, [String], [String])]
    )
    func aTemplateWithoutAnOpenTaskGetsItsNextOne(
        mask: String?,
        children: [String],
        expected: [String]
    ) throws {
        let days = ["20261102", "20261109"]
        let all =
            [template(mask)]
            + children.enumerated().map { child($0.offset, $0.element, due: days[$0.offset]) }
        let (folder, library) = try library(all)
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library) == expected)
        let new = try objects(try export(library))
        #expect(new[Self.template]?["status"] == .string("recurring"))
        let again = try library.importItems(.taskwarrior, from: Array(list(all).utf8))
        #expect(again.added == 0 && again.updated == 0, "\(again.report.details())")
    }

    @Test func anOccurrenceThatWasMadeHereFirstIsTheOneThatTaskwarriorMakesLater() throws {
        let before = [template("+"), child(0, "completed", due: "20261102")]
        let (folder, library) = try library(before)
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library).last == "2026-11-09T09:00 weekly")
        let later = [
            template("+-"), child(0, "completed", due: "20261102"),
            child(1, "pending", due: "20261109"),
        ]
        _ = try library.importItems(.taskwarrior, from: Array(list(later).utf8))
        #expect(try tasks(library).count == 2)
        let uuid = UUIDText.parse("00000000-0000-4000-8000-000000000001")
        #expect(try Task.all(in: library.context).contains { $0.uuid == uuid })
        let again = try library.importItems(.taskwarrior, from: Array(list(later).utf8))
        #expect(again.added == 0 && again.updated == 0, "\(again.report.details())")
    }

    @Test func anOccurrenceFromBeforeTheTemplateHasNoPlaceInItsMask() throws {
        let (folder, library) = try library([
            template("+-"), child(0, "completed", due: "20261102"),
            child(1, "pending", due: "20261109"),
        ])
        defer { withExtendedLifetime(folder) {} }
        let former = try library.addTask(capturing: "Water 2026-10-26")
        former.series = UUIDText.parse(Self.template)
        former.completed = Fixed.context.now
        try library.context.save(as: "Edited")
        let new = try objects(try export(library))
        #expect(new[Self.template]?["mask"] == .string("+-"))
        let written = new[UUIDText.lowercase(former.uuid)]
        #expect(written?["imask"] == nil && written?["parent"] == .string(Self.template))
    }

    @Test func aTemplateThatIsOverMakesNothing() throws {
        let until = "\"until\":\"20261106T080000Z\","
        let (folder, library) = try library([
            template("+", more: until), child(0, "completed", due: "20261102", more: until),
        ])
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library).count == 1)
        let new = try objects(try export(library))
        #expect(new[Self.template]?["status"] == .string("recurring"))
        #expect(new[Self.template]?["until"] == .string("20261106T080000Z"))
        let (alone, empty) = try self.library([
            template(nil, more: "\"until\":\"20261001T080000Z\",")
        ])
        defer { withExtendedLifetime(alone) {} }
        #expect(try tasks(empty) == [])
        let kept = try objects(try export(empty))
        #expect(kept[Self.template]?["status"] == .string("recurring"))
    }

    @Test func untilEndsTheSeriesHereToo() throws {
        let until = "\"until\":\"20261124T080000Z\","
        let (folder, library) = try library([
            template("-", more: until), child(0, "pending", due: "20261116", more: until),
        ])
        defer { withExtendedLifetime(folder) {} }
        for count in [2, 2] {
            let open = try Task.all(in: library.context, where: \.completed == nil)
            try library.complete(open)
            #expect(try tasks(library).count == count)
        }
    }

    @Test func aTaskWhoseTemplateWasDeletedDoesNotGoOn() throws {
        let all = [
            template("-", status: "deleted", more: "\"end\":\"20261110T080000Z\","),
            child(0, "pending", due: "20261116"),
        ]
        let (folder, library) = try library(all)
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library) == ["2026-11-16T09:00"])
        let (old, new) = (try objects(list(all)), try objects(try export(library)))
        #expect(new == old)
    }

    @Test func aTaskWithoutATemplateGoesOnAndGetsOne() throws {
        let (folder, library) = try library([child(2, "pending", due: "20261123")])
        defer { withExtendedLifetime(folder) {} }
        #expect(try tasks(library) == ["2026-11-23T09:00 weekly"])
        let new = try objects(try export(library))
        #expect(new.count == 2 && new[Self.template]?["status"] == .string("recurring"))
        #expect(new[Self.template]?["due"] == .string("20261123T080000Z"))
    }

    @Test func aChainedOneIsCountedFromCompletion() throws {
        let chained = child(0, "pending", due: "20261102").replacing("periodic", with: "chained")
        let (folder, library) = try library([
            template("-").replacing("periodic", with: "chained"), chained,
        ])
        defer { withExtendedLifetime(folder) {} }
        try library.complete(try Task.all(in: library.context))
        #expect(try tasks(library).last == "2026-11-28T09:00 weekly")
        let new = try objects(try export(library))
        #expect(new.values.allSatisfy { $0["rtype"] == .string("chained") })
    }

    @Test(arguments: [
        ("P1M", "2026-12-02T09:00"), ("quarterly", "2027-02-02T09:00"), ("3q", "2027-08-02T09:00"),
        ("2wks", "2026-11-30T09:00"), ("sennight", "2026-11-23T09:00"),
        ("2 weeks", "2026-11-30T09:00"), ("fortnight", "2026-11-30T09:00"),
        ("semiannual", "2027-05-02T09:00"), ("bimonthly", "2027-01-02T09:00"),
        ("biannual", "2028-11-02T09:00"), ("annual", "2027-11-02T09:00"),
        ("P1Y2M", "2028-01-02T09:00"), ("weekdays", "2026-11-23T09:00"),
        ("12h", "2026-11-21T21:00"), ("PT12H", "2026-11-21T21:00"),
        ("P1DT12H", "2026-11-21T21:00"), ("1.5d", "2026-11-21T21:00"),
        ("90min", "2026-11-21T15:00"), ("2w", "2026-11-30T09:00"), ("3m", "2027-02-02T09:00"),
    ])
    func everyPeriodOfTaskwarriorIsFollowed(recur: String, next: String) throws {
        let (folder, library) = try library([
            template("-", recur: recur), child(0, "pending", due: "20261102", recur: recur),
        ])
        defer { withExtendedLifetime(folder) {} }
        let written = try objects(try export(library))
        #expect(written.values.allSatisfy { $0["recur"] == .string(recur) })
        try library.complete(try Task.all(in: library.context))
        let open = try Task.all(in: library.context, where: \.completed == nil)
        #expect(open.compactMap { $0.dueDate.map(Fixed.plain) } == [next])
    }

    @Test func aPeriodThatCannotBeFollowedIsKeptAndTold() throws {
        let all = [
            template("-", recur: "P1M1D"), child(0, "pending", due: "20261102", recur: "P1M1D"),
        ]
        let folder = try LibraryFolder()
        let library = try folder.open()
        let outcome = try library.importItems(.taskwarrior, from: Array(list(all).utf8))
        let sentence = "“P1M1D” cannot be followed here; it is kept for export."
        #expect(outcome.report.details().contains(sentence))
        #expect(try objects(try export(library)) == objects(list(all)))
    }

    // MARK: The real program

    /// What Docket has made goes on in a real Taskwarrior, and from there back into Docket.
    @Test(.enabled(if: InstalledProgram.has("task"), "Taskwarrior is not installed"))
    func aSeriesGoesOnInTaskwarriorAndComesBack() throws {
        let program = try #require(InstalledProgram.path(of: "task"))
        try withTemporaryFolder { folder in
            // Taskwarrior has the clock of the computer.
            let soon = Day(number: Int(Date().timeIntervalSince1970 / 86_400) + 30)
            let store = try LibraryFolder()
            let library = try Library(url: store.store, author: "test") {
                DateContext(now: Date(), zone: Fixed.berlin)
            }
            var item = try library.capture("Water plants")
            item.due = DueDate(day: soon)
            item.recurrence = "every week"
            _ = try library.addTask(item)
            try library.complete(try Task.all(in: library.context))
            try FileManager.default.createDirectory(
                atPath: folder + "/data",
                withIntermediateDirectories: true
            )
            let settings = """
                data.location=\(folder)/data
                confirmation=off
                verbose=nothing
                report.due.columns=due,description
                report.due.sort=due+
                report.due.filter=status:pending
                dateformat=Y-M-D
                color=off

                """
            try Data(settings.utf8).write(to: URL(filePath: folder + "/rc"))
            func task(_ arguments: String...) throws -> String {
                try InstalledProgram.run(
                    program,
                    arguments,
                    environment: [
                        "TASKRC": folder + "/rc", "TASKDATA": folder + "/data", "HOME": folder,
                        "TZ": "Europe/Berlin",
                    ]
                )
            }
            var told = ""
            func exchange() throws -> [String] {
                let theirs = try task("export")
                let outcome = try library.importItems(.taskwarrior, from: Array(theirs.utf8))
                #expect(outcome.report.isComplete, "\(outcome.report.details())")
                told += "\(theirs)\n\(outcome.report.details())\n"
                try Data(try export(library).utf8).write(to: URL(filePath: folder + "/ours"))
                _ = try task("import", folder + "/ours")
                return try task("due").split(separator: "\n").map {
                    $0.split(separator: " ").joined(separator: " ")
                }
            }
            func open() throws -> [String] {
                try Task.all(
                    in: library.context,
                    where: \.completed == nil && \.trashed == nil,
                    sortedBy: \.due
                ).map { "\($0.dueDate.map(Fixed.plain) ?? "-") \($0.title)" }
            }
            func day(_ weeks: Int) -> String {
                "\(ISODate.string(soon.adding(days: 7 * weeks))) Water plants"
            }
            #expect(try exchange() == [day(1)])
            #expect(try open() == [day(1)])
            // Done there: Taskwarrior makes the next one.
            _ = try task("status:pending", "done")
            #expect(try exchange() == [day(2)])
            #expect(try open() == [day(2)])
            // Done here: Docket makes the next one, and Taskwarrior makes none beside it.
            // Taskwarrior has whole seconds.
            let now = try Task.all(
                in: library.context,
                where: \.completed == nil && \.trashed == nil
            )
            try library.complete(now)
            for task in now { task.modified = Date() + 60 }
            try library.context.save(as: "Later")
            #expect(try exchange() == [day(3)], "\(told)")
            #expect(try open() == [day(3)])
            #expect(try Task.count(in: library.context) == 4)
        }
    }
}
