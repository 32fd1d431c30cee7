import Foundation
import Testing

@Suite("Hooks, as processes")
struct HookTests {
    private let docket: Docket

    init() throws { docket = try Docket() }

    private func hook(_ name: String, _ script: String, mode: mode_t = 0o755) throws {
        let path = ".config/docket/hooks/\(name)"
        try docket.write("#!/bin/sh\n\(script)\n", to: path)
        #expect(chmod(docket.path(path), mode) == 0)
    }

    @Test func aNewItemIsChangedAndTheWordsAreShown() throws {
        try hook("on-add-1", "sed 's/\"description\":\"/&[x] /; s/}$/,\"tags\":[\"new\"]}/'")
        try hook("on-add-2", "sed 's/x/y/'; echo looked at it")
        let added = try docket("add", "buy \u{1b}[31mmilk")
        #expect(added.code == 0 && added.errors == "looked at it\n")
        #expect(try docket("history").output.contains("[y] buy"))
        #expect(try docket("list", "tag:new").output.contains("[y] buy"))
        try docket("undo")
        #expect(try docket.titles() == [])
    }

    @Test func aChangeIsRefusedWithTheWordsOfTheHook() throws {
        try docket("add", "a")
        try hook(
            "on-modify",
            "read old; read new; echo \"$old\" | grep -q '\"a\"' && echo no b here; exit 3"
        )
        let refused = try docket("edit", "1", "title=b")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("The hook \"on-modify\" refuses: no b here"))
        #expect(try docket.titles() == ["a"])
        #expect(try docket("history").lines.count == 1)
        try hook("on-modify", "exit 3")
        #expect(try docket("done", "1").errors.contains("its exit status is 3"))
        try hook("on-modify", "cat > /dev/null")
        #expect(try docket("edit", "1", "title=b").code == 0)
        #expect(try docket.titles() == ["b"])
    }

    @Test func manyWordsOfAHookAreCut() throws {
        try hook("on-add", "cat > /dev/null; seq 1000; head -c 100000 /dev/zero | tr '\\0' x")
        let added = try docket("add", "a")
        #expect(added.code == 0 && added.errors.count < 5000)
        #expect(added.errors.contains("… and 981 more lines of the hook \"on-add\"."))
    }

    @Test func theCommandIsNamedAlsoBehindTheStore() throws {
        try hook("on-add", "cat > /dev/null; echo $3")
        let added = try docket.run(["--store=\(docket.path("x.sqlite"))", "add", "a"])
        #expect(added.errors == "command:add\n")
    }

    @Test func aCompletedTaskCallsBothHooksInTheirOrder() throws {
        try docket("add", "a")
        try hook("on-modify", "echo modify $(wc -l) $1")
        try hook("on-done", "echo done $(tail -n 1 | grep -c completed)")
        #expect(try docket("edit", "1", "priority=high").errors == "modify 2 api:2\n")
        #expect(try docket("done", "1").errors == "modify 2 api:2\ndone 1\n")
    }

    @Test(arguments: [mode_t(0o777), 0o775])
    func aHookThatOthersCanChangeIsNotRun(mode: mode_t) throws {
        try hook("on-add", "touch \(docket.path("ran"))", mode: mode)
        let refused = try docket("add", "a")
        #expect(refused.code == 1 && refused.errors.contains("chmod go-w"))
        #expect(!FileManager.default.fileExists(atPath: docket.path("ran")))
        #expect(try docket.titles() == [])
        try hook("on-add", "touch \(docket.path("ran"))", mode: 0o644)
        #expect(try docket("add", "a").code == 0)
        #expect(!FileManager.default.fileExists(atPath: docket.path("ran")))
    }

    @Test(arguments: [
        ("echo '{\"description\":\"x\"}'", "about another item"),
        ("echo '{'", "cannot be read"), ("cat; echo '{}'", "2 items instead of 1"),
        ("kill -9 $$", "its exit status is 137"),
    ])
    func aWrongAnswerChangesNothing(script: String, reason: String) throws {
        try hook("on-add", script)
        let refused = try docket("add", "a")
        #expect(refused.code == 1 && refused.errors.contains(reason), "\(refused.errors)")
        #expect(try docket.titles() == [])
    }

    @Test func anImportIsChangedOrRefusedAsAWhole() throws {
        try docket.write("a\nb\nc\n", to: "todo.txt")
        try hook("on-import", "sed 's/\"description\":\"b\"/\"description\":\"B\"/'; echo $2 >&2")
        let imported = try docket("import", docket.path("todo.txt"))
        #expect(imported.code == 0 && imported.errors.contains("args:docket import"))
        #expect(try docket.titles() == ["a", "B", "c"])
        try docket("undo")
        try hook("on-import", "grep -q '\"c\"' && echo no c && exit 1")
        let refused = try docket("import", docket.path("todo.txt"))
        #expect(refused.code == 1 && refused.errors.contains("no c"))
        #expect(try docket.titles() == [])
    }

    @Test func theEndOfTheProgramIsCalledOnceWithWhatItHasSaved() throws {
        for title in ["a", "b", "c"] { try docket("add", title) }
        try hook("on-exit", "cat > \(docket.path("seen")); echo bye")
        let done = try docket("done", "1", "3")
        #expect(done.code == 0 && done.errors == "bye\n")
        let seen = try String(decoding: docket.read("seen"), as: UTF8.self).split(separator: "\n")
        #expect(seen.count == 2 && seen.allSatisfy { $0.contains("\"completed\"") })
        try docket("list")
        #expect(
            try String(decoding: docket.read("seen"), as: UTF8.self).split(separator: "\n") == seen
        )
    }

    @Test func aLongNoteFitsThroughAHook() throws {
        try hook("on-add", "cat")
        let text = String(repeating: "wörter ", count: 100_000)
        #expect(try docket("add", "--note", "-", input: Data("Long\n\(text)".utf8)).code == 0)
        #expect(try docket("show", "1").output.count > 600_000)
    }
}
