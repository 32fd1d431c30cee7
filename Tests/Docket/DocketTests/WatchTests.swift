import ChildProcess
import Foundation
import SeededRandom
import Testing

/// Files that a running `docket export --watch` or `docket import --watch` keeps in step with the
/// store, while editors and other commands write to both.
@Suite("Files in step with the store")
struct WatchTests {
    /// The command at work, and the changes of its folder.
    private final class Watching {
        private let docket: Docket
        let process: ChildProcess

        init(_ docket: Docket, _ arguments: String...) throws {
            self.docket = docket
            process = try docket.start(Docket.program, arguments, "watch")
        }

        private func text(_ end: String) -> String {
            String(decoding: (try? docket.read("watch.\(end)")) ?? Data(), as: UTF8.self)
        }
        var output: String { text("out") }
        var errors: String { text("err") }

        /// Waits until something is so; it is looked at after each change in the folder, where the
        /// command's output is.
        func wait(_ what: String, until condition: () throws -> Bool) throws {
            let changes = try FolderChanges(docket.folder.path)
            while try !condition() {
                guard try changes.wait(for: 1, orEndOf: process) > 0 else {
                    Issue.record("\(what): it has ended\n\(output)\n\(errors)")
                    return
                }
            }
        }

        func end(by signal: Int32 = SIGTERM) throws -> Docket.Outcome {
            process.signal(signal)
            return try docket.outcome(of: process, "watch")
        }
    }

    private func text(_ docket: Docket, _ name: String) -> String {
        String(decoding: (try? docket.read(name)) ?? Data(), as: UTF8.self)
    }

    /// Saves a file as most editors do: beside it, and then by its name.
    private func save(_ text: String, _ docket: Docket, _ name: String) throws {
        try Data(text.utf8).write(to: docket.folder.appending(path: name), options: .atomic)
    }

    private func steps(_ docket: Docket) throws -> Int { try docket("history").lines.count }

    @Test(arguments: [
        "todo.txt", "plans.md", "plans.org", "table.csv", "items.json", "a.task.json", "a.ics",
    ])
    func anEditOfEitherSideIsOnTheOther(file: String) throws {
        let docket = try Docket.adding("Pay rent +Home #bank")
        let watching = try Watching(docket, "export", "--watch", docket.path(file))
        try watching.wait("the first export") { watching.output.contains("Exported 1 item") }
        try docket("add", "Ask the bank")
        try watching.wait("the new task") { watching.output.contains("Exported 2 items") }
        #expect(text(docket, file).contains("Ask the bank"))

        let first = text(docket, file)
        try save(first.replacing("Pay rent", with: "Pay the rent"), docket, file)
        try watching.wait("the edit") { watching.output.contains("Updated 1 item") }
        #expect(try docket.titles() == ["Pay the rent", "Ask the bank"])
        // What Docket has changed is edited in the file as well as anything else.
        try docket("edit", "1", "title=Transfer the rent")
        try watching.wait("the change") { text(docket, file).contains("Transfer the rent") }
        let count = { watching.output.components(separatedBy: "Updated 1 item").count - 1 }
        let second = text(docket, file).replacing("Transfer", with: "Send")
        try Data(second.utf8).write(to: docket.folder.appending(path: file))
        try watching.wait("the edit in place") { count() == 2 }
        #expect(try docket.titles() == ["Send the rent", "Ask the bank"], "\(text(docket, file))")
        // Two tasks, a change, two edits: nothing that Docket wrote was imported.
        #expect(try steps(docket) == 5)
        let end = try watching.end()
        #expect(end.code == 0, "\(end)")
        #expect(!FileManager.default.fileExists(atPath: docket.path(file + "~")))
    }

    /// Stops the command, so that both sides change before it sees either.
    private func both(_ watching: Watching, _ change: () throws -> Void) rethrows {
        watching.process.signal(SIGSTOP)
        defer { watching.process.signal(SIGCONT) }
        try change()
    }

    @Test(arguments: ["todo.txt", "plans.md", "table.csv", "items.json"])
    func whatChangesOnBothSidesAtOnceIsKept(file: String) throws {
        let docket = try Docket.adding("Pay rent", "Ask the bank", "Buy milk")
        let watching = try Watching(docket, "export", "--watch", docket.path(file))
        try watching.wait("the first export") { watching.output.contains("Exported 3 items") }
        // Other items, and other fields of one item.
        try both(watching) {
            try docket("edit", "1", "title=Send the rent")
            try docket("edit", "2", "due=2031-05-06")
            try save(
                text(docket, file).replacing("Ask the bank", with: "Ask Bob")
                    .replacing("Buy milk", with: "Buy bread"),
                docket,
                file
            )
        }
        try watching.wait("both") {
            let written = text(docket, file)
            return ["Send the rent", "Ask Bob", "2031", "Buy bread"].allSatisfy(written.contains)
        }
        #expect(try docket.titles() == ["Send the rent", "Ask Bob", "Buy bread"])
        #expect(!FileManager.default.fileExists(atPath: docket.path(file + "~")))
        // The same field: what is here stays, and the file as it was stays beside.
        try both(watching) {
            try docket("edit", "3", "title=Buy rolls")
            try save(text(docket, file).replacing("Buy bread", with: "Buy cake"), docket, file)
        }
        try watching.wait("the conflict") { text(docket, file).contains("Buy rolls") }
        let end = try watching.end(by: SIGINT)
        #expect(try docket.titles() == ["Send the rent", "Ask Bob", "Buy rolls"])
        #expect(text(docket, file + "~").contains("Buy cake"), "\(end)")
        #expect(end.output.contains("is now"), "\(end)")
        #expect(end.errors.contains("not updated “Buy rolls”"), "\(end)")
        #expect(end.code == 0)
    }

    @Test func whatHappensWhileItDoesNotRunIsKeptToo() throws {
        let docket = try Docket.adding("Pay rent", "Ask the bank")
        let file = docket.path("todo.txt")
        let first = try Watching(docket, "export", "--watch", file)
        try first.wait("the first export") { first.output.contains("Exported 2 items") }
        #expect(try first.end().code == 0)
        try docket("edit", "1", "title=Send the rent")
        try save(text(docket, "todo.txt").replacing("the bank", with: "Bob"), docket, "todo.txt")
        let second = try Watching(docket, "export", "--watch", file)
        try second.wait("the second export") { text(docket, "todo.txt").contains("Send the rent") }
        #expect(try docket.titles() == ["Send the rent", "Ask Bob"])
        #expect(try !second.end().errors.contains("not updated"))
        #expect(!FileManager.default.fileExists(atPath: file + "~"))
    }

    @Test func aBrokenFileIsLeftAloneAndSaidUntilItIsCorrected() throws {
        let docket = try Docket.adding("Pay rent")
        let watching = try Watching(docket, "export", "--watch", docket.path("items.json"))
        try watching.wait("the first export") { watching.output.contains("Exported 1 item") }
        let good = text(docket, "items.json")
        let broken = good.replacing("Pay rent\"", with: "Pay the rent")
        try save(broken, docket, "items.json")
        try watching.wait("the message") { watching.errors.contains("until it is corrected") }
        #expect(watching.errors.contains(/items\.json, line .*column/), "\(watching.errors)")
        try docket("add", "Ask the bank")
        try save(broken + "\n", docket, "items.json")
        try watching.wait("the second message") {
            watching.errors.components(separatedBy: "until it is corrected").count == 3
        }
        #expect(text(docket, "items.json") == broken + "\n")
        try save(good.replacing("Pay rent", with: "Pay the rent"), docket, "items.json")
        try watching.wait("the correction") { text(docket, "items.json").contains("Ask the bank") }
        #expect(try docket.titles() == ["Pay the rent", "Ask the bank"])
        #expect(try watching.end().code == 0)
    }

    @Test func aFileOfSomebodyElseIsImportedFirstAndStaysBeside() throws {
        let docket = try Docket.adding("Pay rent")
        try docket.write("# Home\n\nSome words.\n\n- [ ] Buy milk\n", to: "plans.md")
        let watching = try Watching(docket, "export", "--watch", docket.path("plans.md"))
        try watching.wait("the export") { watching.output.contains("Exported 2 items") }
        #expect(try docket.titles() == ["Pay rent", "Buy milk"])
        #expect(text(docket, "plans.md").contains("Some words.\n\n- [ ] Buy milk"))
        #expect(text(docket, "plans.md~").hasPrefix("# Home\n\nSome words.\n\n- [ ] Buy milk\n"))
        #expect(try watching.end().code == 0)
    }

    @Test func manyEditsAtTheSameTimeLoseNothing() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("files in step: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let docket = try Docket.adding("Begin")
        let watching = try Watching(docket, "export", "--watch", docket.path("todo.txt"))
        try watching.wait("the first export") { watching.output.contains("Exported 1 item") }
        var titles = ["Begin"]
        for number in 1...12 {
            let title = "Task \(number)."
            titles.append(title)
            if Bool.random(using: &random) {
                try docket("add", title)
            } else if Bool.random(using: &random) {
                try save(text(docket, "todo.txt") + title + "\n", docket, "todo.txt")
            } else {
                let line = "echo '\(title)' >> todo.txt"
                #expect(try docket.shell(line).code == 0)
            }
        }
        try watching.wait("all tasks") {
            let written = text(docket, "todo.txt")
            return try titles.allSatisfy(written.contains)
                && docket.titles().count >= titles.count
        }
        #expect(try docket.titles().sorted() == titles.sorted(), "seed \(seed)")
        #expect(try watching.end().code == 0)
    }

    // MARK: Import

    @Test func eachFileOfAFolderIsImportedWhenItIsSaved() throws {
        let docket = try Docket()
        try docket.write("- [ ] Buy milk\n", to: "inbox/a.md")
        for name in [".hidden.md", "a.md~", ".a.md.swp", "b.tmp"] {
            try docket.write("- [ ] Not this\n", to: "inbox/\(name)")
        }
        let watching = try Watching(docket, "import", "--watch", docket.path("inbox"))
        try watching.wait("the first import") { watching.output.contains("a.md: Imported 1 item") }
        try save("* TODO Draw\n", docket, "inbox/plans.org")
        try watching.wait("a new file") { watching.output.contains("plans.org: Imported 1 item") }
        try docket.write("[{\"title\": \"Bro", to: "inbox/items.json")
        try watching.wait("a broken file") { watching.errors.contains("until it is corrected") }
        try docket.write(Data([0x89, 0x50, 0x4E, 0x47, 0]), to: "inbox/picture.png")
        try watching.wait("a picture") { watching.errors.contains("picture.png") }
        try docket.write("- [ ] Buy milk\n- [ ] Buy bread\n", to: "inbox/a.md")
        try watching.wait("the next import") {
            watching.output.components(separatedBy: "Imported 1 item").count == 4
        }
        #expect(try docket.titles().sorted() == ["Buy bread", "Buy milk", "Draw"])
        #expect(try steps(docket) == 3)
        #expect(text(docket, "inbox/items.json") == "[{\"title\": \"Bro")
        let end = try watching.end()
        #expect(end.code == 0, "\(end)")
        #expect(end.errors.components(separatedBy: "picture.png").count < 4, "\(end)")
        #expect(!end.errors.contains("Not this") && !end.output.contains("hidden"))
    }

    @Test func oneFileIsImportedWhenItIsSavedAndNoOther() throws {
        let docket = try Docket()
        try docket.write("Buy milk\n", to: "todo.txt")
        let watching = try Watching(docket, "import", "--watch", docket.path("todo.txt"))
        try watching.wait("the first import") { watching.output.contains("Imported 1 item") }
        try docket.write("Not this\n", to: "other.txt")
        try save("Buy milk\nBuy bread\n", docket, "todo.txt")
        try watching.wait("the edit") {
            watching.output.components(separatedBy: "Imported 1 item").count == 3
        }
        #expect(try docket.titles() == ["Buy milk", "Buy bread"])
        #expect(try watching.end(by: SIGINT).code == 0)
    }

    @Test func whatCannotBeWatchedIsRefusedBeforeAnythingIsDone() throws {
        let docket = try Docket()
        for (arguments, words) in [
            (["export", "--watch"], "needs the name of a file"),
            (["export", "--watch", "-"], "needs the name of a file"),
            (["export", "--watch", docket.path("a.txt")], "cannot be imported"),
            (["export", "--watch", docket.folder.path + "/.", "--format", "json"], "is a folder"),
            (["export", "--watch", docket.path("none/a.json")], "cannot be watched"),
            (["import", "--watch", "-"], "takes a file or a folder"),
            (["import", "--watch", docket.path("none")], "cannot be read"),
        ] {
            let outcome = try docket.run(arguments)
            #expect(outcome.code != 0 && outcome.errors.contains(words), "\(arguments): \(outcome)")
        }
    }
}
