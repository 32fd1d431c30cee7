import ChildProcess
import Foundation
import SeededRandom
import Testing

/// Stores that are written as a whole, under a program that is killed, has no room, or no right.
@Suite struct FileStoreTests {
    private static let forms = ["binary", "xml", "text"]

    /// Kills an import at a random change of the folder, and goes on with what is there.
    @Test(arguments: forms)
    func importThatWasKilledLosesAndRepeatsNothing(store: String) throws {
        for _ in 0..<SeededRandom.rounds(1, long: 3) {
            let examples = try Examples()
            let file = examples.path("kept")
            let change = Int.random(in: 20..<90)
            print("killed import: at change \(change) of the folder, \(store)")
            let changes = try FolderChanges(examples.folder.path)
            let process = try examples.start(
                "import",
                "--size",
                "100000000",
                "--store",
                store,
                "--file",
                file
            )
            try changes.wait(for: change, orEndOf: process)
            #expect(process.killGroup() == .signal(SIGKILL))
            // What was committed is whole: the marker and its rows are of the same save.
            let first = try examples("import", "--size", "1", "--store", store, "--file", file)
            #expect(first.end == .code(0))
            let count = first.lines.first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            let more = count + 10
            let resumed = try examples(
                "import",
                "--size",
                "\(more)",
                "--store",
                store,
                "--file",
                file
            )
            #expect(resumed.end == .code(0))
            if count > 0 { #expect(resumed.lines.first == "\(count) rows are there from before.") }
            let left = try FileManager.default.contentsOfDirectory(atPath: examples.folder.path)
            #expect(left.filter { $0.hasPrefix(".kept") } == [], "nothing unfinished is left")
        }
    }

    @Test(arguments: forms)
    func fullDiskLeavesTheFileAsItWas(store: String) throws {
        let examples = try Examples()
        let file = examples.path("kept")
        #expect(
            try examples("import", "--size", "500", "--store", store, "--file", file).end
                == .code(0)
        )
        let before = try Data(contentsOf: URL(filePath: file))
        // No file may be larger than some blocks of 512 bytes.
        let limit = before.count / 512 + 1
        let outcome = try examples.shell(
            "trap '' XFSZ; ulimit -f \(limit); exec \"$examples\" import --size 20000 --store \(store)"
                + " --file \(file)"
        )
        #expect(outcome.end == .code(2))
        #expect(outcome.errors.contains("The disk is full"), "\(outcome.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: examples.folder.path)
        #expect(left.filter { $0.hasPrefix(".") } == [])
        let again = try examples("import", "--size", "500", "--store", store, "--file", file)
        #expect(again.end == .code(0))
    }

    @Test(arguments: forms)
    func missingPermissionsAreNamed(store: String) throws {
        let examples = try Examples()
        let inner = examples.path("inner")
        try FileManager.default.createDirectory(
            atPath: inner,
            withIntermediateDirectories: false
        )
        let file = inner + "/kept"
        func run() throws -> Examples.Outcome {
            // The superuser may write everywhere.
            let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
            return try examples.shell(
                "exec \(user) \"$examples\" events --store \(store) --file \(file)"
            )
        }
        chmod(examples.folder.path, 0o755)
        chmod(inner, 0o555)
        let folder = try run()
        #expect(folder.end == .code(2) && folder.errors.contains("permission"), "\(folder)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == [])
        chmod(inner, 0o777)
        #expect(try run().end == .code(0))
        let bytes = try Data(contentsOf: URL(filePath: file))
        chmod(inner, 0o555)
        let closed = try run()
        #expect(closed.end == .code(2) && closed.errors.contains("permission"), "\(closed)")
        chmod(inner, 0o777)
        chmod(file, 0o400)
        let readOnly = try run()
        #expect(readOnly.end == .code(2) && readOnly.errors.contains("permission"), "\(readOnly)")
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: inner).filter { $0.hasPrefix(".") }
                == []
        )
    }

    @Test(arguments: forms)
    func twoProcessesNeverOverwriteEachOther(store: String) throws {
        let examples = try Examples()
        let file = examples.path("kept")
        #expect(try examples("events", "--store", store, "--file", file).end == .code(0))
        // Both count their launch in the same file; who comes late is refused, or reads it again.
        let processes = try (0..<4).map { _ in
            try examples.start("events", "--store", store, "--file", file)
        }
        let done = processes.map { $0.wait() }.filter { $0 == .code(0) }.count
        let last = try examples("events", "--store", store, "--file", file)
        #expect(done >= 1)
        #expect(
            last.output.contains("Launch \(done + 2) of this store."),
            "\(done): \(last.output)"
        )
    }
}
