import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import Synchronization

/// A store to begin with, which is made once in the process and copied for each robot.
struct Sample: Sendable {
    private static let made = Mutex<[String: Data]>([:])

    private let name: String
    let fill: @Sendable (Library) throws -> Void

    /// Each sample has a name of its own.
    init(_ name: String, _ fill: @escaping @Sendable (Library) throws -> Void) {
        (self.name, self.fill) = (name, fill)
    }

    static let empty = Sample("empty") { _ in }

    /// A small household.
    static let home = Sample("home") { library in
        _ = try library.addTask(
            capturing: "Pay rent tomorrow 9:00 +Home #bank !med every month\n"
                + "Account is the **new** one.\n- [x] tell Ana\n- [ ] standing order?"
        )
        let garden = try library.addTask(capturing: "Plan the garden +Home/Garden #out")
        var defaults = ItemDefaults()
        defaults.parent = garden
        for line in ["order seeds fri #out", "measure the beds", "draw a plan"] {
            let captured = try CaptureParser(context: library.clock()).capture(line)
            _ = try library.addTask(captured, defaults)
        }
        let beds = try library.items(
            matching: Condition { $0.title.beginsWith("meas") }
        )
        try library.complete(beds)
        let note = try library.addNote(capturing: "Soil test results +Home/Garden")
        try library.setText("# Soil\n\npH is 6.5, *ask Ana* about lime.", of: note)
        _ = try library.addTask(capturing: "Call the Ämter yesterday +Work !!!")
        _ = try library.addTask(capturing: "Read a book")
    }

    /// Many tasks without anything else, each in a step of its own.
    static func many(_ count: Int) -> Sample {
        Sample("\(count)") { library in
            for number in 1...count {
                _ = try library.addTask(capturing: "Task number \(number)")
            }
        }
    }

    /// The bytes of the store.
    func file() throws -> Data {
        try Sample.made.withLock { made in
            if let file = made[name] { return file }
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "sample-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let library = try Robot.open(folder)
            try fill(library)
            library.close()
            let file = try Data(contentsOf: Robot.store(in: folder))
            made[name] = file
            return file
        }
    }
}
