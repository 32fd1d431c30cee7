import ChildProcess
import Foundation
import Testing

/// The effects and messages of `docket import` for items that exist already.
@Suite("The import command")
struct ImportCommandTests {
    private func line(_ number: Int, _ title: String, _ time: String) -> String {
        "{\"uuid\":\"11111111-1111-4111-8111-11111111111\(number)\",\"title\":\"\(title)\","
            + "\"modified\":\"\(time)\"}"
    }

    @Test func theFormatFollowsTheNameOfTheFile() throws {
        let docket = try Docket()
        try docket("add", "Pay rent #bank")
        func exported(_ name: String, _ options: String...) throws -> String {
            #expect(try docket.run(["export"] + options + [docket.path(name)]).code == 0)
            return String(decoding: try docket.read(name), as: UTF8.self)
        }
        #expect(try exported("todo.txt").hasSuffix("Pay rent #bank\n"))
        #expect(try exported("a.task.json").contains("\"description\""))
        #expect(try exported("a.json").contains("\"title\""))
        #expect(try exported("plain").contains("\"title\""))
        #expect(try exported("a.txt") == docket("export", "--format", "text").output)
        #expect(try exported("b.csv", "--format", "json").contains("\"title\""))
        let refused = try docket("export", docket.path("week.xlsx"))
        #expect(refused.code == 1 && refused.errors.contains("week.xlsx"), "\(refused.errors)")
        #expect(refused.errors.contains("--format"))
        #expect(!FileManager.default.fileExists(atPath: docket.path("week.xlsx")))
        // What was written is read without an option for its format.
        for name in ["todo.txt", "a.task.json", "a.json", "b.csv"] {
            let other = docket.path("\(name).sqlite")
            let outcome = try docket("import", "--store", other, docket.path(name))
            let isNamed = name != "b.csv"
            let words = isNamed ? "Imported 1 item\n" : "Imported 1 item; the format is json\n"
            #expect(outcome.output == words, "\(name): \(outcome)")
            #expect(try docket("list", "--store", other).output.contains("Pay rent"), "\(name)")
        }
        try docket.write("just words\n", to: "table.xlsx")
        let table = try docket("import", docket.path("table.xlsx"))
        #expect(table.code == 1 && table.errors.contains("table.xlsx"), "\(table.errors)")
        #expect(try docket.titles() == ["Pay rent"])
    }

    @Test func itTellsBeforehandAndAfterwardsWhatItOverwrites() throws {
        let docket = try Docket()
        let old = "2020-01-01T00:00:00Z"
        try docket.write(
            [line(1, "one", old), line(2, "two", old)].joined(separator: "\n"),
            to: "a"
        )
        #expect(try docket("import", docket.path("a")).output == "Imported 2 items\n")
        try docket("edit", "1", "title=mine")
        try docket.write(
            [
                line(1, "older", "2020-01-02T00:00:00Z"), line(2, "newer", "2020-01-02T00:00:00Z"),
                line(3, "three", old),
            ].joined(separator: "\n"),
            to: "b"
        )
        let lines = """
            line 2, updated “two”: title.
            line 1, not updated “mine”: It was changed here later than in the file: title.

            """
        let dry = try docket("import", "--dry-run", docket.path("b"))
        #expect(dry.code == 0 && dry.errors == lines, "\(dry.errors)")
        #expect(
            dry.output == "Would import 1 item, update 1; 1 would stay as changed here\n"
        )
        #expect(try docket.titles() == ["mine", "two"])
        #expect(try docket("history").lines.count == 2)
        let done = try docket("import", docket.path("b"))
        #expect(done.code == 0 && done.errors == lines, "\(done.errors)")
        #expect(done.output == "Imported 1 item, updated 1; 1 stayed as changed here\n")
        #expect(try docket.titles() == ["mine", "newer", "three"])
        let again = try docket("import", docket.path("b"))
        #expect(again.output == "Nothing changed: 3 items read; 1 stayed as changed here\n")
        try docket.write(line(2, "newest", "2020-01-03T00:00:00Z"), to: "c")
        #expect(try docket("import", docket.path("c")).output == "Updated 1 item\n")
        let broken = try docket("import", "--dry-run", "-", input: Data("[{\"title\":1}]".utf8))
        #expect(broken.code == 1 && broken.errors.contains("Nothing would be imported."))
    }

    @Test func importsAndAdditionsAtOnceAllSucceed() throws {
        let docket = try Docket()
        let files = (0..<6).map { "file\($0)" }
        for (round, name) in files.enumerated() {
            let lines = (0..<300).map { "round \(round) item \($0) +List\(round) #tag\($0 % 3)" }
            try docket.write(lines.joined(separator: "\n"), to: name)
        }
        let adding = try docket.start(
            "/bin/sh",
            [
                "-c",
                "n=0; while ! test -e stop; do \"$docket\" add \"added $n #tag1\" || exit 1; "
                    + "n=$((n+1)); done",
            ],
            "adding"
        )
        for name in files {
            let outcome = try docket("import", "--format", "todotxt", docket.path(name))
            #expect(outcome.output == "Imported 300 items\n", "\(outcome.errors)")
        }
        try docket.write("", to: "stop")
        let added = try docket.outcome(of: adding, "adding")
        #expect(added.code == 0, "\(added.errors)")
        let items = try docket.items()
        #expect(items.count == 1800 + added.lines.count)
        #expect(Set(items.compactMap { $0["id"] as? Int }).count == items.count)
        #expect(Set(items.compactMap { $0["order"] as? Int }).count == items.count)
        #expect(try docket.integrity() == "ok")
    }

    @Test func theReportIsOneObjectOnRequest() throws {
        let docket = try Docket()
        try docket.write("[{\"title\":\"a\",\"parent\":\"\(UUID())\"},{\"title\":5}]", to: "a")
        func report(_ words: String...) throws -> (code: Int32?, [String: Any]) {
            let outcome = try docket.run(["import", "--report", "json", docket.path("a")] + words)
            let object = try JSONSerialization.jsonObject(with: outcome.bytes)
            return (outcome.code, try #require(object as? [String: Any]))
        }
        let refused = try report()
        #expect(refused.code == 1 && refused.1["imported"] as? Bool == false)
        #expect(refused.1["added"] as? Int == 0 && refused.1["skipped"] as? Int == 1)
        let trial = try report("--skip-broken", "--dry-run")
        #expect(trial.code == 0 && trial.1["imported"] as? Bool == false)
        #expect(trial.1["added"] as? Int == 1)
        #expect(try docket.titles() == [])
        let done = try report("--skip-broken")
        #expect(done.code == 0 && done.1["imported"] as? Bool == true)
        #expect(done.1["format"] as? String == "json" && done.1["added"] as? Int == 1)
        let entries = try #require(done.1["entries"] as? [[String: Any]])
        #expect(entries.map { $0["result"] as? String } == ["skipped", "changed"])
        #expect(entries.allSatisfy { $0["line"] as? Int == 1 })
        #expect(try docket.titles() == ["a"])
    }

    @Test func aStrictImportLosesNothing() throws {
        let docket = try Docket()
        let line = "{\"title\":\"a\",\"parent\":\"\(UUID())\"}"
        try docket.write(line, to: "a.json")
        let refused = try docket("import", "--strict", docket.path("a.json"))
        #expect(refused.code == 1 && refused.errors.contains("leave out --strict"))
        #expect(refused.errors.contains("the relation was left out"))
        #expect(try docket.titles() == [])
        #expect(try docket("import", docket.path("a.json")).code == 0)
        try docket.write("{\"title\":\"b\"}", to: "b.json")
        #expect(
            try docket("import", "--strict", docket.path("b.json")).output == "Imported 1 item\n"
        )
        #expect(try docket.titles() == ["a", "b"])
    }

    @Test func aFormatThatTheContentTellsIsNamed() throws {
        let docket = try Docket()
        let piped = try docket("import", "-", input: Data("(A) a +x\n".utf8))
        #expect(piped.output == "Imported 1 item; the format is todotxt\n")
    }
}
