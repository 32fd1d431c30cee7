import ChildProcess
import Foundation
import SeededRandom
import Testing

/// `kill -9` in the middle of an import in parts, and another import of the same file: every item
/// is there once, in one step of undo.
@Suite("Imports that are killed", .serialized)
struct KilledImportTests {
    private static let count = 400

    private static let file: String = {
        let items = (0..<count).map { place in
            let uuid = String(format: "00000000-0000-4000-8000-%012x", place)
            let other = String(format: "00000000-0000-4000-8000-%012x", (place + 37) % count)
            return "{\"uuid\":\"\(uuid)\",\"description\":\"item \(place)\",\"status\":\"pending\","
                + "\"entry\":\"20260101T000000Z\",\"depends\":[\"\(other)\"]}"
        }
        return "[\n" + items.joined(separator: ",\n") + "\n]\n"
    }()

    @Test func theSameFileCompletesThem() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("killed imports: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var cut = 0
        for round in 0..<SeededRandom.rounds(4, long: 10) {
            let docket = try Docket()
            try docket("add", "before")
            try docket.write(Self.file, to: "in.json")
            let place = "seed \(seed), round \(round)"
            for _ in 0..<4 {
                let changes = try FolderChanges(docket.folder.path)
                let process = try docket.start(
                    "/bin/sh",
                    ["-c", "exec \"$docket\" import --format taskwarrior --every 20 in.json"],
                    "import"
                )
                try changes.wait(for: 1 + random.below(120), orEndOf: process)
                process.killGroup()
                try #require(try docket.integrity() == "ok", "\(place)")
                let present = try docket.items().count - 1
                #expect(present % 20 == 0, "\(place): \(present) items")
                if present > 0, present < Self.count { cut += 1 }
            }
            let outcome = try docket("import", "--format", "taskwarrior", "in.json")
            #expect(outcome.code == 0, "\(place): \(outcome.errors)")
            let items = try docket.items()
            let titles = items.compactMap { $0["title"] as? String }
            #expect(titles.count == Self.count + 1 && Set(titles).count == titles.count, "\(place)")
            let waiting = items.count { ($0["depends"] as? [String])?.count == 1 }
            // The last one would close a circle.
            #expect(waiting == Self.count - 1, "\(place)")
            let steps = try docket("history").lines.map { $0.split(separator: " ")[1] }
            #expect(steps == ["Imported", "Added"], "\(place)")
            try docket("undo")
            #expect(try docket.items().compactMap { $0["title"] as? String } == ["before"])
        }
        #expect(cut > 0)
    }
}
