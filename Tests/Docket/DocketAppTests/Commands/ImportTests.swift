import DocketCore
import DocketFormats
import Foundation
import Synchronization
import TerminalUI
import Testing

@testable import DocketApp

/// Imports while the window stays in use.
@Suite struct ImportTests {
    private func file(_ text: String, _ name: String, _ robot: Robot) throws -> String {
        let url = robot.folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func many(_ count: Int) -> String {
        (1...count).map { "imported \($0) +New" }.joined(separator: "\n")
    }

    /// A window that shows the saves of others, its own import among them.
    private func robot(_ sample: Sample = .home) throws -> Robot {
        let robot = try Robot(rows: 40, sample: sample)
        robot.application.follow(robot.library)
        return robot
    }

    /// Waits for the import's thread, and lets the window see its end.
    private func finish(_ robot: Robot) {
        robot.workspace.importRun?.wait()
        robot.application.handle([.woken])
        robot.settle()
    }

    @Test func theItemsOfAFileAppearAndOneKeyUndoesThem() throws {
        let robot = try robot()
        let before = try robot.everything()
        let path = try file(many(12), "todo.txt", robot)
        try robot.press(":")
        robot.type("import a file")
        try robot.press("enter")
        robot.type(path)
        #expect(robot.text.contains("1 KB"))
        try robot.press("enter")
        finish(robot)
        #expect(robot.message == "todo.txt: Imported 12 items · u undoes")
        #expect(robot.titles.suffix(2) == ["imported 11", "imported 12"])
        try robot.press("u")
        #expect(try robot.everything() == before)
    }

    @Test func theFormatIsRecognisedByTheContent() throws {
        let robot = try robot(.empty)
        let taskwarrior = """
            [{"uuid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","description":"From a warrior",
            "status":"pending","entry":"20250101T000000Z"}]
            """
        for (text, name) in [
            (taskwarrior, "tasks.json"), (#"[{"title":"From docket"}]"#, "export"),
            ("(A) From a text", "list"),
        ] {
            try robot.workspace.startImport(of: try file(text, name, robot))
            finish(robot)
        }
        #expect(robot.titles.sorted() == ["From a text", "From a warrior", "From docket"])
    }

    @Test func aBrokenFileImportsNothingAndNamesItsFirstLine() throws {
        let robot = try robot()
        let before = try robot.everything()
        try robot.workspace.startImport(of: try file(#"[{"title":"a"},{"name":"b"}]"#, "x", robot))
        finish(robot)
        #expect(robot.message.hasPrefix("x: Nothing was imported. line 1, skipped"))
        #expect(try robot.everything() == before)
        #expect(throws: InputError.self) { try robot.workspace.startImport(of: "/no/such/file") }
        #expect(robot.workspace.importRun == nil)
    }

    /// To read it would drop the locks of the store.
    @Test(arguments: ["", "-shm"])
    func theLibraryItselfIsRefusedUnread(suffix: String) throws {
        let robot = try robot()
        let path = robot.library.path + suffix
        #expect(throws: InputError.self) { try robot.workspace.startImport(of: path) }
        try robot.press(":")
        robot.type("import a file")
        try robot.press("enter")
        robot.type(path)
        try robot.press("enter")
        #expect(robot.text.contains("is a store that Docket has"))
        #expect(robot.workspace.importRun == nil)
    }

    @Test func aCancelledPathIsRestoredByAKeyAndTypingBeginsAnotherOne() throws {
        let robot = try robot()
        try robot.press(":")
        robot.type("import a file")
        try robot.press("enter")
        robot.type("/no/such")
        try robot.press("esc :")
        robot.type("import a file")
        try robot.press("enter")
        #expect(robot.footer.contains("^T restore \"/no/such\""))
        robot.type("/other")
        #expect((robot.workspace.modal as? InputBar)?.field.text == "/other")
        try robot.press("ctrl+t")
        #expect((robot.workspace.modal as? InputBar)?.field.text == "/no/such")
        #expect(robot.footer.contains("^T restore \"/other\""))
    }

    @Test func aStoppedImportSaysWhatRemainsAndAnotherOneContinuesIt() throws {
        let robot = try robot(.empty)
        robot.workspace.importBatch = 10
        let path = try file(many(200), "todo.txt", robot)
        let run = Mutex<ImportRun?>(nil)
        let gate = DispatchSemaphore(value: 0)
        let wakes = Atomic(0)
        withExtendedLifetime(run) {
            robot.application.wake = {
                // The third part is about to be saved.
                if wakes.add(1, ordering: .relaxed).newValue != 3 { return }
                gate.wait()
                run.withLock { $0?.cancel() }
            }
        }
        try robot.workspace.startImport(of: path)
        run.withLock { $0 = robot.workspace.importRun }
        gate.signal()
        finish(robot)
        let count = try robot.library.count(nil)
        #expect(count > 0 && count < 200)
        #expect(
            robot.message
                == "Only a part of todo.txt was imported: \(count) of 200 items. u undoes it; "
                + "another import of the same file completes it."
        )
        try robot.workspace.startImport(of: path)
        finish(robot)
        #expect(robot.message.contains("\(count) items were imported before"))
        #expect(try robot.library.count(nil) == 200)
        try robot.press("u")
        #expect(try robot.library.count(nil) == 0)
    }

    @Test func theWindowWorksMeanwhileAndAsksBeforeItQuits() throws {
        let robot = try robot(.empty)
        robot.workspace.importBatch = 10
        let gate = DispatchSemaphore(value: 0)
        let isStopped = Atomic(false)
        let run = Mutex<ImportRun?>(nil)
        // Others wake the window too.
        robot.application.wake = {
            guard run.withLock({ $0?.progress.done ?? 0 }) >= 10,
                !isStopped.exchange(true, ordering: .relaxed)
            else { return }
            gate.wait()
        }
        let path = try file(many(100), "todo.txt", robot)
        // The import's thread asks for it as soon as it has progress.
        try run.withLock { run in
            try robot.workspace.startImport(of: path)
            run = robot.workspace.importRun
        }
        while !isStopped.load(ordering: .relaxed) { sched_yield() }
        robot.application.handle([.woken])
        robot.settle()
        // The third part is about to be made, and the second one to be saved.
        #expect(try robot.library.count(nil) == 10)
        #expect(robot.titles.contains("imported 10"))
        #expect(robot.text.contains("importing 10 %"))
        try robot.press("a m i n e enter esc")
        #expect(robot.titles.contains("mine"))
        try robot.press("q")
        #expect(robot.text.contains("todo.txt is being imported"))
        gate.signal()
        try robot.press("o")
        finish(robot)
        #expect(robot.message.hasPrefix("Only a part of todo.txt"))
        #expect(try robot.library.count(nil) < 101)
    }
}
