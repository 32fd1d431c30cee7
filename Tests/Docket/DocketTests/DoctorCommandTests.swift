import Foundation
import SeededRandom
import Testing

/// `docket doctor`, with the real program.
@Suite("Doctor")
struct DoctorCommandTests {
    private func sample() throws -> Docket {
        try Docket.adding("one #home", "two #work", "three +Garden")
    }

    /// What the report of a program says.
    private func report(_ docket: Docket, _ arguments: String...) throws -> [String: Any] {
        let outcome = try docket.shell(
            "\"$docket\" doctor --json \(arguments.joined(separator: " "))"
        )
        return try #require(
            try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: Any],
            "\(outcome)"
        )
    }

    private func kinds(_ report: [String: Any], _ name: String = "findings") -> [String] {
        (report[name] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
    }

    @Test func aStoreInOrderIsHealthy() throws {
        let docket = try sample()
        let outcome = try docket("doctor")
        #expect(outcome.code == 0)
        #expect(
            outcome.output == "Everything is in order: 3 items, 3 transactions of the history.\n"
        )
        let found = try report(docket)
        #expect(found["healthy"] as? Bool == true)
        #expect(found["items"] as? Int == 3)
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 0)
        // Nothing to repair, nothing to keep.
        #expect(try docket("backup", "--list").output.hasPrefix("There are no backups"))
    }

    @Test func aStoreThatDoesNotExistIsNotMade() throws {
        let docket = try Docket()
        for arguments in [[], ["--repair"], ["--salvage", docket.path("x.json")]] {
            let outcome = try docket.shell(
                "\"$docket\" doctor \(arguments.joined(separator: " "))"
            )
            #expect(outcome.code == 2 && outcome.errors.contains("There is no store at"))
        }
        #expect(!FileManager.default.fileExists(atPath: docket.store))
        #expect(!FileManager.default.fileExists(atPath: docket.path("x.json")))
    }

    static let damages: [(name: String, sql: [String], kind: String)] = [
        ("ranks", ["UPDATE ZITEM SET ZDISPLAYORDER = 7"], "equal-ranks"),
        (
            "numbers", ["DROP INDEX Z_Item_UNIQUE_shortID", "UPDATE ZITEM SET ZSHORTID = 1"],
            "wrong-number"
        ),
        (
            "the last place",
            ["UPDATE ZITEM SET ZDISPLAYORDER = 9223372036854775807 WHERE Z_PK = 2"],
            "far-rank"
        ),
        (
            "places at both ends",
            [
                "UPDATE ZITEM SET ZDISPLAYORDER = -9223372036854775808 WHERE Z_PK = 2",
                "UPDATE ZITEM SET ZDISPLAYORDER = 9223372036853727232 WHERE Z_PK = 1",
            ], "far-rank"
        ),
        (
            "the last number", ["UPDATE ZITEM SET ZSHORTID = 9223372036854775807 WHERE Z_PK = 2"],
            "wrong-number"
        ),
        (
            "the last transaction",
            ["UPDATE OG_TRANSACTION SET number = 9223372036854775807 WHERE number = 3"],
            "history-gap"
        ),
        (
            "the last change",
            [
                "UPDATE OG_CHANGE SET id = 9223372036854775807"
                    + " WHERE id = (SELECT MAX(id) FROM OG_CHANGE)"
            ], "history-gap"
        ),
        (
            "the last key", ["UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807"],
            "key-above-maximum"
        ),
        ("a key below all", ["UPDATE ZITEM SET Z_PK = -5 WHERE Z_PK = 2"], "key-above-maximum"),
        (
            "keys at both ends",
            [
                "UPDATE ZITEM SET Z_PK = 0 WHERE Z_PK = 2",
                "UPDATE ZITEM SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
            ], "key-above-maximum"
        ),
        (
            "a flag of seven", ["UPDATE ZITEM SET ZFLAGGED = 7 WHERE Z_PK = 1"],
            "value-out-of-bounds"
        ),
        ("no number", ["UPDATE ZITEM SET ZSHORTID = 0 WHERE Z_PK = 2"], "wrong-number"),
        ("a task below itself", ["UPDATE ZITEM SET ZPARENT = 1 WHERE Z_PK = 1"], "task-cycle"),
        (
            "tasks below each other",
            [
                "UPDATE ZITEM SET ZPARENT = 2 WHERE Z_PK = 1",
                "UPDATE ZITEM SET ZPARENT = 1 WHERE Z_PK = 2",
            ], "task-cycle"
        ),
        ("a list below itself", ["UPDATE ZLIST SET ZPARENT = Z_PK"], "list-cycle"),
        (
            "a priority above the highest", ["UPDATE ZITEM SET ZPRIORITY = 9 WHERE Z_PK = 1"],
            "value-out-of-bounds"
        ),
        ("tags", ["UPDATE ZTAG SET ZNAME = 'HOME' WHERE ZNAME = 'work'"], "equal-tags"),
        (
            "lists",
            [
                "INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZDISPLAYORDER, ZKIND, ZNAME)"
                    + " SELECT 2, Z_ENT, 1, 9, ZKIND, 'gARDEN' FROM ZLIST"
            ], "equal-lists"
        ),
    ]

    @Test(arguments: damages.indices)
    func whatTheRulesForbidIsFoundAndRepaired(_ index: Int) throws {
        let (name, statements, kind) = Self.damages[index]
        let docket = try sample()
        for statement in statements { try docket.sqlite(docket.store, statement) }
        let found = try report(docket)
        #expect(kinds(found).contains(kind), "\(name): \(found)")
        let repair = try report(docket, "--repair", "--accept-pages")
        #expect(kinds(repair, "repaired").contains(kind), "\(name): \(repair)")
        #expect(repair["healthy"] as? Bool == true, "\(name): \(repair)")
        let doctor = try docket("doctor")
        #expect(doctor.code == 0 && doctor.output.contains("in order: 3 items,"), "\(doctor)")
        // The copy from before brings the damage back, if somebody wants it.
        if index % 4 != 0 && SeededRandom.rounds(1, long: 2) == 1 { return }
        let backup = try #require(repair["backup"] as? String)
        #expect(try docket("restore", "--backup", backup).code == 0)
        #expect(kinds(try report(docket)).contains(kind), "\(name)")
    }

    @Test(arguments: [
        "number = 9223372036854775807", "first = 9223372036854775807",
        "count = 9223372036854775807",
    ])
    func aHistoryAtItsEndRefusesEveryStepUntilItIsRepaired(_ damage: String) throws {
        let docket = try sample()
        try docket("done", "1")
        try docket("undo")
        try docket.sqlite(
            docket.store,
            "UPDATE OG_TRANSACTION SET \(damage)"
                + " WHERE number = (SELECT MAX(number) FROM OG_TRANSACTION)",
            keepsChecksums: true
        )
        // What the last transaction had changed cannot be found.
        for arguments in [["redo"], ["undo"], ["add", "four"]] {
            let outcome = try docket.run(arguments)
            #expect(outcome.code == 2, "\(arguments): \(outcome)")
            #expect(outcome.errors.contains("`docket doctor --repair`"), "\(outcome)")
        }
        #expect(try docket("history").code == 0)
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("add", "four").code == 0)
        #expect(try docket("doctor").code == 0)
    }

    @Test(arguments: ["n = 9223372036854775807", "n = 1152921504606846976", "n = 100000000"])
    func aChangeOfMoreObjectsThanThereWereRefusesItsUndoAndIsRepaired(_ damage: String) throws {
        let docket = try sample()
        let change =
            "UPDATE OG_CHANGE SET \(damage) WHERE id = (SELECT MAX(id) FROM OG_CHANGE WHERE kind = 0)"
        try docket.sqlite(docket.store, change, keepsChecksums: true)
        let undo = try docket("undo")
        #expect(undo.code == 2 && undo.errors.contains("`docket doctor --repair`"), "\(undo)")
        #expect(try docket("list").lines.count == 3)
        #expect(kinds(try report(docket)).contains("history-gap"))
        #expect(try docket("doctor", "--repair").code == 0)
        #expect(try docket("add", "four").code == 0)
        #expect(try docket("undo").code == 0)
        #expect(try docket("doctor").code == 0)
    }

    @Test func rowWithAKeyThatNoObjectCanHaveKeepsWhatLeadsToIt() throws {
        let docket = try Docket()
        for line in ["Plan #garden +Home", "Dig #garden", "Sow"] { _ = try docket("add", line) }
        #expect(try docket("edit", "2", "parent=1").code == 0)
        #expect(try docket("edit", "3", "waits=1").code == 0)
        func items() throws -> [String] {
            try docket.items().map { item in
                ["title", "tags", "list", "parent", "dependencies", "uuid"]
                    .map { "\(item[$0] ?? "-")" }.joined(separator: " ")
            }
        }
        let before = try items()
        for statement in [
            "UPDATE ZITEM SET Z_PK = -7 WHERE Z_PK = 1",
            "UPDATE ZITEM SET ZPARENT = -7 WHERE ZPARENT = 1",
            "UPDATE Z_2TAGS SET Z_2ITEMS = -7 WHERE Z_2ITEMS = 1",
            "UPDATE Z_4BLOCKS SET Z_4BLOCKEDBY = -7 WHERE Z_4BLOCKEDBY = 1",
            "UPDATE Z_4BLOCKS SET Z_4BLOCKS = -7 WHERE Z_4BLOCKS = 1",
            "UPDATE ZTAG SET Z_PK = 9000000000000000000 WHERE Z_PK = 1",
            "UPDATE Z_2TAGS SET Z_12TAGS = 9000000000000000000 WHERE Z_12TAGS = 1",
        ] { try docket.sqlite(docket.store, statement) }
        #expect(kinds(try report(docket)).contains("key-above-maximum"))
        let repair = try report(docket, "--repair", "--accept-pages")
        #expect(repair["healthy"] as? Bool == true, "\(repair)")
        #expect(try items() == before)
        #expect(try docket("add", "New #garden").code == 0)
        #expect(try docket("doctor").code == 0)
    }

    @Test func anOlderItemKeepsItsNumber() throws {
        let docket = try sample()
        try docket.sqlite(docket.store, "DROP INDEX Z_Item_UNIQUE_shortID")
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZSHORTID = 1 WHERE ZTITLE = 'three'")
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        let numbers = try docket.items().reduce(into: [String: Int]()) {
            $0[$1["title"] as? String ?? ""] = $1["id"] as? Int
        }
        #expect(numbers["one"] == 1 && numbers["two"] == 2 && numbers["three"] == 3)
    }

    @Test func aRepairOfValuesCanBeUndone() throws {
        let docket = try sample()
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZDISPLAYORDER = 7")
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("undo").output.hasPrefix("Undid: repaired"))
        #expect(kinds(try report(docket)).contains("equal-ranks"))
    }

    @Test func aValueThatTheModelForbidsDoesNotStopASalvage() throws {
        let docket = try sample()
        // All items change, because their places are equal too.
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZDISPLAYORDER = 7, ZPRIORITY = 9")
        let saved = try docket("doctor", "--salvage", docket.path("saved.json"))
        #expect(saved.code == 0, "\(saved)")
        let other = try Docket()
        let imported = try other("import", docket.path("saved.json"))
        #expect(imported.code == 0, "\(imported)")
        #expect(try other.items().map { $0["priority"] as? Int } == [3, 3, 3])
    }

    @Test func aDamagedFileIsNamedAndSavedAsFarAsItCanBeRead() throws {
        let docket = try sample()
        let lines = (1...400).map { "Task \($0) of the plan +list\($0 % 4)" }
        try docket.write(lines.joined(separator: "\n") + "\n", to: "items.txt")
        #expect(try docket("import", "--format", "todotxt", docket.path("items.txt")).code == 0)
        let page = try #require(
            try docket.sqlite(
                docket.store,
                "SELECT pageno FROM dbstat WHERE name = 'ZITEM' AND pagetype = 'leaf' LIMIT 1 OFFSET 3"
            ).first.flatMap { Int($0) }
        )
        var data = try docket.read("docket.sqlite")
        data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
        try data.write(to: docket.folder.appending(path: "docket.sqlite"))
        let outcome = try docket("doctor")
        #expect([2, 5].contains(outcome.code), "\(outcome)")
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 2, "\(repair)")
        #expect(repair.errors.contains("--salvage FILE"), "\(repair)")
        let saved = try docket("doctor", "--salvage", docket.path("saved.json"))
        #expect(saved.code == 0, "\(saved)")
        #expect(saved.output.contains(" lost"), "\(saved)")
        let other = try Docket()
        let imported = try other("import", docket.path("saved.json"))
        #expect(imported.code == 0, "\(imported)")
        let count = try other("list", "--all").lines.count
        #expect(count > 300 && count < 403)
        // The damaged file is as it was.
        #expect(try docket.read("docket.sqlite") == data)
        // An existing file is not replaced.
        let again = try docket("doctor", "--salvage", docket.path("saved.json"))
        #expect(again.code == 1 && again.errors.contains("exists already"), "\(again)")
    }

    /// A library of the present model, with a value in every field that an export has, of which the
    /// inner pages of the items and of their index are lost.
    @Test func everyFieldOfADamagedLibraryIsSaved() throws {
        let docket = try Docket()
        func uuid(_ number: Int) -> String {
            String(format: "00000000-0000-4000-8000-%012x", number)
        }
        var items: [[String: Any]] = (1...300).map { number in
            [
                "id": number, "uuid": uuid(number), "kind": "task", "title": "Task \(number) ✎",
                "notes": "remark \(number)", "list": "Home/Garden \(number % 3)",
                "tags": ["red", "t\(number % 5)"], "due": "2026-12-0\(1 + number % 9)",
                "start": "2026-11-22T08:00:00Z", "priority": number % 4,
                "created": "2026-01-02T03:04:05Z", "modified": "2026-02-03T04:05:06Z",
                "order": number * 1024, "trashed": number % 7 == 0, "flagged": number % 2 == 0,
                "location": "Attic", "recurrence": "FREQ=WEEKLY;INTERVAL=2", "estimate": 1800,
                "reminder": "2026-12-01T07:00:00Z",
                "depends": number > 1 ? [uuid(number - 1)] : [],
                "timeEntries": [
                    ["start": "2026-11-01T08:00:00Z", "end": "2026-11-01T09:00:00Z"]
                ],
                "extra": ["taskwarrior": ["urgency": "high \(number)"]],
            ]
        }
        for number in stride(from: 10, through: 300, by: 10) {
            items[number - 1]["completed"] = "2026-03-04T05:06:07Z"
        }
        for number in 2...9 { items[number - 1]["parent"] = uuid(1) }
        for number in 301...310 {
            items.append([
                "id": number, "uuid": uuid(number), "kind": "note", "title": "Note \(number)",
                "body": String(repeating: "line \(number)\n", count: 900),
                "created": "2026-01-02T03:04:05Z", "modified": "2026-02-03T04:05:06Z",
                "order": number * 1024,
            ])
        }
        try JSONSerialization.data(withJSONObject: items)
            .write(to: docket.folder.appending(path: "items.json"))
        let imported = try docket("import", docket.path("items.json"))
        #expect(imported.code == 0, "\(imported)")
        try docket.makeVault()
        #expect(try docket.vault("encrypt", "310").code == 0)
        let whole = try docket("export").output
        var data = try docket.read("docket.sqlite")
        let pages = try docket.sqlite(
            docket.store,
            "SELECT pageno FROM dbstat WHERE pagetype = 'internal' AND name IN ('ZITEM',"
                + " 'OG_CHANGE', 'OG_SEARCH_ZITEM_data')"
        ).compactMap { Int($0) }
        #expect(!pages.isEmpty)
        for page in pages {
            data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
        }
        try data.write(to: docket.folder.appending(path: "docket.sqlite"))
        #expect(try docket("doctor").code != 0)
        let saved = try docket("doctor", "--salvage", docket.path("saved.json"))
        #expect(saved.code == 0, "\(saved)")
        let lines = String(decoding: try docket.read("saved.json"), as: UTF8.self)
            .split(separator: "\n")
        let wholeLines = whole.split(separator: "\n")
        #expect(lines.count == wholeLines.count, "\(saved)")
        for (line, wanted) in zip(lines, wholeLines) where line != wanted {
            Issue.record("\(line)\nnot \(wanted)")
            break
        }
    }

    @Test(arguments: [0, 1, 100, 511, 512, 4095, 4096, 20_000])
    func aTruncatedFileIsNamed(_ count: Int) throws {
        let docket = try sample()
        let data = try docket.read("docket.sqlite").prefix(count)
        try data.write(to: docket.folder.appending(path: "docket.sqlite"))
        let outcome = try docket("doctor")
        #expect(outcome.code == 2 || outcome.code == 5, "\(outcome)")
        #expect(!outcome.errors.isEmpty || outcome.code == 5)
        let saved = try docket("doctor", "--salvage", docket.path("saved.json"))
        #expect(saved.code == 0 || !saved.errors.isEmpty, "\(saved)")
        if saved.code != 0 {
            #expect(!FileManager.default.fileExists(atPath: docket.path("saved.json")))
        }
    }

    @Test func aCommandThatReadsADoubtfulPageSaysSo() throws {
        let docket = try sample()
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZTITLE = 'by hand' WHERE Z_PK = 1")
        let outcome = try docket("list")
        #expect(outcome.code == 0 && outcome.output.contains("by hand"))
        #expect(outcome.errors.contains("`docket doctor` checks the store."), "\(outcome)")
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("list").errors == "")
    }

    /// The place of a title in the file, one bit of which is flipped.
    private func flip(_ title: String, in docket: Docket) throws {
        var data = try docket.read("docket.sqlite")
        let place = try #require(data.range(of: Data(title.utf8))).upperBound - 1
        data[place] ^= 8
        try data.write(to: docket.folder.appending(path: "docket.sqlite"))
    }

    @Test func aBackupAndAnExportOfADamagedStoreSayIt() throws {
        let docket = try sample()
        try docket("add", "Pay 1000")
        try docket("backup")
        try flip("Pay 1000", in: docket)
        let backup = try docket("backup")
        #expect(backup.code == 5 && backup.errors.contains("may be damaged"), "\(backup)")
        let file = docket.path("copy.sqlite")
        #expect(try docket("backup", file).code == 5)
        for arguments in [["export"], ["export", docket.path("items.json")]] {
            let export = try docket.run(arguments)
            #expect(export.code == 5 && export.errors.contains("may be damaged"), "\(export)")
        }
        let list = try docket("backup", "--list").lines
        let doubtful = list.filter { $0.contains(".doubtful.sqlite") }
        #expect(doubtful.count == 1 && doubtful.allSatisfy { $0.hasSuffix("may be damaged") })
        // The copy says it itself, and its bit can be corrected.
        #expect(try docket("--store", file, "list").errors.contains("may be damaged"))
        #expect(try docket("doctor", "--store", file, "--repair").code == 0)
        #expect(try docket("--store", file, "list").output.contains("Pay 1000"))
        #expect(try docket("doctor", "--repair").code == 0)
        #expect(try docket("list").output.contains("Pay 1000"))
        #expect(try docket("export").code == 0)
    }

    @Test func damageStaysCorrectableBecauseNothingIsSavedOverIt() throws {
        let docket = try sample()
        try docket("add", "Pay 1000")
        try flip("Pay 1000", in: docket)
        let edit = try docket("edit", "1", "title=other")
        #expect(edit.code == 2 && edit.errors.contains("differs from its checksum"), "\(edit)")
        #expect(edit.errors.contains("`docket doctor --repair`"), "\(edit)")
        let undo = try docket("undo")
        #expect(undo.code == 2 && undo.errors.contains("`docket doctor --repair`"), "\(undo)")
        #expect(try docket("doctor", "--repair").code == 0)
        #expect(try docket("list").lines.count == 4)
        #expect(try docket("list").output.contains("Pay 1000"))
        #expect(try docket("edit", "1", "title=other").code == 0)
    }

    /// Several bits cannot be corrected: nothing calls them right but the user.
    @Test func aPageThatNothingVerifiesIsAcceptedOnlyIfSomebodySaysSo() throws {
        let docket = try sample()
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZFLAGGED = 1, ZPRIORITY = 2")
        for _ in 0..<2 {
            let repair = try docket("doctor", "--repair")
            #expect(repair.code == 5 && repair.output.contains("--accept-pages"), "\(repair)")
            #expect(try docket("doctor").code == 5)
            #expect(try docket("export").code == 5)
        }
        #expect(try docket("doctor", "--accept-pages").code == 64)
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("doctor").code == 0)
        #expect(try docket("export").code == 0)
    }

    @Test func rowsAreRepairedOnceTheirPagesAreAccepted() throws {
        let docket = try sample()
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZDISPLAYORDER = 7")
        let edit = try docket("add", "four")
        #expect(edit.code == 2 && edit.errors.contains("`docket doctor --repair`"), "\(edit)")
        #expect(try docket("list").lines.count == 3)
        let before = try docket.read("docket.sqlite")
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 5, "\(repair)")
        #expect(repair.output.contains("Not repaired: 2 items have the same place"), "\(repair)")
        #expect(repair.output.contains("as they are and repairs the rest."), "\(repair)")
        #expect(!repair.lines.contains { $0.hasPrefix("Repaired: ") }, "\(repair)")
        // Nothing has changed, so nothing is kept.
        #expect(try docket.read("docket.sqlite") == before)
        #expect(try docket("backup", "--list").output.hasPrefix("There are no backups"))
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("add", "four").code == 0)
        #expect(try docket("doctor").code == 0)
    }

    @Test func aFlippedBitIsCorrectedBesideAPageThatNothingVerifies() throws {
        let docket = try sample()
        try docket("add", "Pay 1000")
        try docket.sqlite(docket.store, "UPDATE ZTAG SET ZNAME = 'office' WHERE ZNAME = 'work'")
        try flip("Pay 1000", in: docket)
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 5, "\(repair)")
        #expect(repair.output.contains("Repaired: 1 page of the file differs"), "\(repair)")
        #expect(repair.output.contains("Not repaired: 2 pages of the file"), "\(repair)")
        #expect(repair.output.contains("What was there before is in"), "\(repair)")
        #expect(try docket("list").output.contains("Pay 1000"))
        #expect(try docket("list").output.contains("office"))
        // Only a change of the other page is refused.
        #expect(try docket("edit", "1", "title=other").code == 0)
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket("doctor").code == 0)
    }

    @Test(arguments: 1...2)
    func aLibraryWithoutChecksumsThatAnotherProgramHasChangedWorksAsBefore(version: Int) throws {
        let docket = try Docket()
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: tests.appending(path: "OldLibraries/version-\(version).sqlite"),
            to: URL(filePath: docket.store)
        )
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZTITLE = 'by hand' WHERE Z_PK = 1")
        #expect(try docket("list", "--all").output.contains("by hand"))
        #expect(try docket("add", "later").code == 0)
        try docket.sqlite(docket.store, "UPDATE ZITEM SET ZTITLE = 'again' WHERE Z_PK = 1")
        #expect(try docket("done", "1").code == 0)
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 0, "\(repair)")
        #expect(try report(docket)["healthy"] as? Bool == true)
        #expect(try docket("list", "--all").output.contains("again"))
        #expect(try docket("add", "last").code == 0)
    }

    /// Two processes that add make new states all the time; each inspection reads one.
    @Test func anInspectionBesideWritersFindsNothing() throws {
        let docket = try sample()
        let count = SeededRandom.rounds(12, long: 40)
        let script =
            "for i in $(seq \(count)); do \"$docket\" add \"$0 $i\" >/dev/null || break; done;"
            + " touch end-$0"
        let writers = try ["a", "b"].map {
            try docket.start("/bin/sh", ["-c", script, $0], $0)
        }
        var codes: [Int32?] = []
        func isEnded(_ name: String) -> Bool { access(docket.path("end-\(name)"), F_OK) == 0 }
        while !isEnded("a") || !isEnded("b") {
            codes.append(try docket("doctor").code)
        }
        for (writer, name) in zip(writers, ["a", "b"]) {
            #expect(try docket.outcome(of: writer, name).code == 0)
        }
        #expect(!codes.isEmpty && codes.allSatisfy { $0 == 0 }, "\(codes)")
        #expect(try docket("list").lines.count == 3 + 2 * count)
    }
}
