import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// All keys in all panes and boxes, pastes, mouse, bytes and sizes from 1×1, while another process
/// writes: nothing traps, and nothing but text reaches the screen.
///
/// `DOCKET_KEYS` says how many inputs in all (1,000 by default); each seed makes at most 2,000. With
/// `DOCKET_TRAIL` set every input is printed, so that the last one before a trap is known.
@Suite struct RandomKeyTests {
    private static let wanted =
        ProcessInfo.processInfo.environment["DOCKET_KEYS"].flatMap { Int($0) } ?? 1000
    private static let inputs = min(max(1, wanted), 2000)
    private static let seeds: ClosedRange<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["DOCKET_SEED"].flatMap({ UInt64($0) }) { return seed...seed }
        return 1...UInt64(max(1, wanted / inputs))
    }()
    private static let isTrailing = ProcessInfo.processInfo.environment["DOCKET_TRAIL"] != nil

    @Test(arguments: seeds) func noInputEndsTheProgram(seed: UInt64) throws {
        // Unbuffered: after a trap this is all there is.
        RandomKeyTests.say("seed \(seed) in noInputEndsTheProgram")
        var input = RandomInput(seed: seed)
        let first = input.size()
        let files = FileManager.default.temporaryDirectory.appending(
            path: "keys-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: files) }
        for number in 0..<5 { try RandomKeyTests.meddle(files, number, number) }
        let robot = try Robot(
            rows: first.rows,
            columns: first.columns,
            config: "[folders]\nFiles = \"\(files.path)\"\nNone = \"\(files.path)/none\"\n",
            isASCII: seed % 4 == 0,
            noColor: seed % 5 == 0,
            sample: seed % 3 == 0 ? .empty : .home
        )
        robot.application.follow(robot.library)
        let store = robot.folder.appendingPathComponent("store.sqlite").path
        robot.application.keepDrafts(beside: store)
        robot.terminal.editor = { path in
            try? "# edited\n\nby \u{202E}another program".write(
                toFile: path,
                atomically: true,
                encoding: .utf8
            )
            return Int32(seed % 2)
        }
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        for step in 0..<RandomKeyTests.inputs {
            if input.chance(60) { robot.terminal.size = input.size() }
            if input.chance(150) {
                try RandomKeyTests.meddle(other, input.below(5), input.below(1000))
            }
            if input.chance(80) {
                try RandomKeyTests.meddle(files, input.below(8), input.below(6))
                robot.application.handle([.woken])
            }
            var events = input.batch(
                in: robot.terminal.size,
                isModalOpen: robot.workspace.modal != nil
            )
            if input.chance(40) { events.append(.resized(robot.terminal.size)) }
            if RandomKeyTests.isTrailing { RandomKeyTests.say("\(step): \(events)") }
            robot.application.handle(events)
            robot.application.drawFrame()
            let frame = robot.terminal.frame
            frame.checkInvariants()
            guard step % 20 == 0 else { continue }
            let strange = frame.lines.joined().unicodeScalars.filter(RandomKeyTests.isControl)
            #expect(strange.isEmpty, "seed \(seed), step \(step): \(strange.map(\.value))")
        }
        #expect(!robot.library.context.hasChanges, "seed \(seed)")
        robot.application.handle([.terminationAsked(signal: 15)])
        #expect(robot.application.status == 143)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
            || scalar.properties.isBidiControl
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// What another process does to the files of a folder meanwhile.
    private static func meddle(_ files: URL, _ kind: Int, _ place: Int) throws {
        let manager = FileManager.default
        let folder = place % 2 == 0 ? files : files.appending(path: "sub")
        let file = folder.appending(path: "n\(place).md")
        switch kind {
        case 5: try? manager.removeItem(at: file)
        case 6: try? manager.moveItem(at: file, to: folder.appending(path: "moved\(place).md"))
        case 7: try? manager.removeItem(at: place == 0 ? files : files.appending(path: "sub"))
        default:
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            let title = "# Note \(kind) \u{1B}[1m\u{202E}"
            try Data("\(title)\n\n#tag *text* \(place)\n".utf8).write(to: file)
        }
    }

    /// What another process does to the store meanwhile.
    private static func meddle(_ other: Library, _ kind: Int, _ place: Int) throws {
        let items = try other.items(matching: nil)
        guard !items.isEmpty else {
            _ = try other.addTask(capturing: "From elsewhere +Home/Far #out")
            return
        }
        let item = items[place % items.count]
        try Library.unlessTrashed { try change(item, other, kind) }
    }

    private static func change(_ item: Item, _ other: Library, _ kind: Int) throws {
        switch kind {
        case 0: _ = try other.addTask(capturing: "From elsewhere fri +Home #out")
        case 1: try other.trash([item])
        case 2: try other.edit(item, [FieldChange("title=Changed elsewhere")])
        case 3: _ = try other.undo()
        default: try other.setText(String(repeating: "lorem *ipsum*\n", count: 4000), of: item)
        }
    }
}
