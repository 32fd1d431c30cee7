import ChildProcess
import Foundation
import Testing

/// Memory after locking, in a process of its own: `Tests/Framework/heap-probe`.
@Suite("Memory after locking", .serialized)
struct MemoryTests {
    private func probe(_ mode: String) throws -> [String: String] {
        let output = NSTemporaryDirectory() + "heap-probe-\(mode)-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = try ChildProcess(
            URL(filePath: own).deletingLastPathComponent().path() + "/heap-probe",
            [mode],
            environment: ["TMPDIR": NSTemporaryDirectory(), "PATH": "/usr/bin:/bin"],
            output: output
        )
        try #require(program.wait() == .code(0))
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let words = line.split(separator: " ")
                return (String(words[0]), String(words[1]))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func noSecretIsLeftAnywhereInTheProcess() throws {
        let found = try probe("on")
        // A build with a sanitizer has another heap.
        if found["supported"] == "false" { return }
        #expect(
            found == [
                "supported": "true", "readable": "false", "passphrase": "0", "short": "0",
                "long": "0", "longer": "0",
                "objects": "4",
            ]
        )
    }

    @Test func searchFindsWhatAnOrdinaryHeapLeaves() throws {
        let found = try probe("off")
        let counts = ["passphrase", "short", "long", "longer"].compactMap { found[$0] }
        #expect(counts.count == 4)
        #expect(counts.compactMap { Int($0) }.reduce(0, +) > 0)
    }
}
