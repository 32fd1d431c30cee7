import Foundation

/// Items that look like a person's, the same for the same size everywhere.
struct Generator {
    private static let words = [
        "pay", "rent", "call", "bank", "garden", "plan", "seeds", "letter", "doctor", "tickets",
        "report", "meeting", "notes", "review", "draft", "budget", "invoice", "paint", "fence",
        "bicycle", "repair", "café", "Ämter", "résumé", "Zürich", "order", "parts", "clean",
        "kitchen", "basement", "school", "forms", "travel", "passport", "birthday", "present",
        "yesterday", "beatles", "guitar", "lesson", "market", "bread", "milk", "coffee",
    ]

    private var state: UInt64

    init(seed: UInt64) { state = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func text(_ count: Int) -> String {
        (0..<count).map { _ in Generator.words[next(Generator.words.count)] }
            .joined(separator: " ")
    }

    struct Item {
        var title: String
        var notes: String
        var priority: Int
        var order: Int
        var list: Int
        var due: Double
    }

    static func items(_ count: Int) -> [Item] {
        var generator = Generator(seed: 42)
        return (0..<count).map { index in
            Item(
                title: generator.text(4),
                notes: generator.text(12),
                priority: index % 4,
                order: (index + 1) << 20,
                list: index % 50 + 1,
                due: 780_000_000 + Double(generator.next(31_536_000))
            )
        }
    }

    /// A Taskwarrior export.
    static func taskwarrior(_ count: Int, to url: URL) throws {
        var generator = Generator(seed: 7)
        let priorities = ["", "\"priority\":\"L\",", "\"priority\":\"M\",", "\"priority\":\"H\","]
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var text = "[\n"
        for index in 0..<count {
            // In parts, so that this process stays small.
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
            let day = String(format: "%02d", generator.next(28) + 1)
            let month = String(format: "%02d", generator.next(12) + 1)
            let uuid = String(format: "%08x-0000-4000-8000-%012x", index, index)
            let due = index % 3 == 0 ? "\"due\":\"2026\(month)\(day)T090000Z\"," : ""
            let tag = index % 4 == 0 ? "\"tags\":[\"\(generator.text(1))\"]," : ""
            let note =
                index % 2 == 0
                ? "\"annotations\":[{\"entry\":\"20260101T000000Z\",\"description\":\""
                    + "\(generator.text(10))\"}]," : ""
            text += "{\"uuid\":\"\(uuid)\",\"description\":\"\(generator.text(5))\","
            text += due + tag + note + priorities[index % 4]
            text += "\"project\":\"list\(index % 50)\",\"entry\":\"20260101T000000Z\","
            text +=
                "\"status\":\"\(index % 10 == 9 ? "completed\",\"end\":\"20260201T000000Z" : "pending")\"}"
            text += index == count - 1 ? "\n" : ",\n"
        }
        text += "]\n"
        try file.write(contentsOf: Data(text.utf8))
    }
}
