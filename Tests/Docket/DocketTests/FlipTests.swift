import ChildProcess
import Foundation
import SeededRandom
import Testing

/// Damage at random places of a store of some hundred items: each command gives the right answer, or says
/// that something is wrong; it never gives another answer without a word.
///
/// `DOCKET_FLIPS` says how many places; without it there are a few of each kind.
@Suite("Damage at random places", .serialized)
struct FlipTests {
    enum Damage: String, CaseIterable, Sendable {
        case bit
        case byte
        /// 512 bytes, as a disk loses them.
        case zeros
        case noise

        func apply(to data: inout Data, _ random: inout SeededRandom) -> String {
            switch self {
            case .bit:
                let bit = random.below(data.count * 8)
                data[bit / 8] ^= 1 << UInt8(bit % 8)
                return "bit \(bit)"
            case .byte:
                let place = random.below(data.count)
                data[place] ^= UInt8(1 + random.below(255))
                return "byte \(place)"
            case .zeros, .noise:
                let start = random.below(data.count / 512) * 512
                for place in start..<start + 512 {
                    data[place] = self == .zeros ? 0 : UInt8(random.below(256))
                }
                return "sector \(start / 512)"
            }
        }
    }

    /// How a store with damage behaved.
    enum Ending: String, CaseIterable {
        case right = "right answers"
        case named = "damage named"
        case silent = "OTHER ANSWERS WITHOUT A WORD"
        case crashed = "CRASHED"
        case hung = "HUNG"
    }

    private static let rounds =
        ProcessInfo.processInfo.environment["DOCKET_FLIPS"].flatMap { Int($0) }

    private static let count = SeededRandom.rounds(150, long: 500)

    private static let readings = [
        ["list", "--all", "--json"], ["show", "7", "--json"], ["search", "report", "--json"],
        ["history"],
    ]
    private static let writings = [["add", "a new one"], ["done", "3"], ["list", "--all"]]

    /// A store with lists, tags, a history and an index.
    private static func makeStore(_ docket: Docket) throws {
        var lines: [String] = []
        let words = ["report", "letter", "garden", "Müller", "budget", "plan"]
        for index in 1...count {
            let word = words[index % words.count]
            lines.append("(A) Write the \(word) number \(index) +list\(index % 9) @tag\(index % 5)")
        }
        try docket.write(lines.joined(separator: "\n") + "\n", to: "items.txt")
        try docket("import", "--format", "todotxt", docket.path("items.txt"))
        try docket(
            "edit",
            "7",
            "title=Edited later",
            "notes=\(String(repeating: "long ", count: 999))"
        )
        try docket("done", "5")
        try docket("undo")
    }

    @Test(arguments: Damage.allCases)
    func damageIsNeverSilent(_ damage: Damage) throws {
        var random = SeededRandom()
        let docket = try Docket.copy("damage", Self.makeStore)
        let whole = try docket.read("docket.sqlite")
        let before = try Self.readings.map { timeless(try run(docket, $0).output) }
        let after = try Self.writings.map { timeless(try run(docket, $0).output) }
        let share = damage == .bit ? 1 : 5
        let rounds = Self.rounds.map { $0 / share } ?? (damage == .bit ? 8 : 3)
        var endings: [Ending: Int] = [:]
        var repairs: [String: Int] = [:]
        for _ in 0..<rounds {
            var data = whole
            let place = damage.apply(to: &data, &random)
            if data == whole { continue }
            try clear(docket)
            try data.write(to: docket.folder.appending(path: "docket.sqlite"))
            var ending = try judge(docket, Self.readings, before, place)
            let doctor = try run(docket, ["doctor"])
            #expect(doctor.code == 5 || doctor.code == 2, "\(place): \(doctor)")
            let written = try judge(docket, Self.writings, after, place)
            if written != .right {
                ending = ending == .right || written != .named ? written : ending
            }
            endings[ending, default: 0] += 1
            let repaired = try repair(docket, data, damage, before[0], place)
            repairs[repaired, default: 0] += 1
        }
        print(
            "\(damage): \(rounds) places; "
                + Ending.allCases.compactMap { ending in
                    endings[ending].map { "\(ending.rawValue) \($0)" }
                }.joined(separator: ", ") + "; "
                + repairs.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        )
    }

    /// Repairs a fresh copy of the damaged store; a flipped bit leaves nothing.
    private func repair(
        _ docket: Docket,
        _ data: Data,
        _ damage: Damage,
        _ items: String,
        _ place: String
    ) throws -> String {
        try clear(docket)
        try data.write(to: docket.folder.appending(path: "docket.sqlite"))
        let outcome = try run(docket, ["doctor", "--repair"])
        let answer = try run(docket, Self.readings[0])
        if damage == .bit {
            #expect(outcome.code == 0, "\(place): \(outcome)")
            #expect(answer.output == items, "\(place)")
        }
        if outcome.code == 0 { return answer.output == items ? "repaired" : "repaired with a loss" }
        #expect(!outcome.errors.isEmpty || !outcome.output.isEmpty, "\(place)")
        let saved = try run(docket, ["doctor", "--salvage", docket.path("saved.json")])
        #expect(saved.code == 0, "\(place): \(saved)")
        return "saved by --salvage"
    }

    /// Text without how long ago something was, which changes while the test runs.
    private func timeless(_ text: String) -> String {
        text.replacing(#/just now|[0-9]+ [a-z]+ ago/#, with: "then")
    }

    private func judge(
        _ docket: Docket,
        _ commands: [[String]],
        _ answers: [String],
        _ place: String
    ) throws -> Ending {
        var result = Ending.right
        // What was said once counts for what follows.
        var hasBeenTold = false
        for (command, answer) in zip(commands, answers) {
            let outcome = try run(docket, command)
            switch outcome.end {
            case .code(124):
                Issue.record("\(place): \(command) hung")
                return .hung
            case .code(let code) where code < 128:
                if !outcome.errors.isEmpty { hasBeenTold = true }
                if timeless(outcome.output) == answer, code == 0 { continue }
                if !hasBeenTold, outcome.errors.isEmpty {
                    Issue.record("\(place): \(command) answers otherwise without a word")
                    return .silent
                }
                result = .named
            default:
                Issue.record("\(place): \(command) crashed: \(outcome.end)")
                return .crashed
            }
        }
        return result
    }

    private func run(_ docket: Docket, _ arguments: [String]) throws -> Docket.Outcome {
        let name = "flip"
        let process = try docket.start(
            "/usr/bin/timeout",
            ["60", Docket.program] + arguments,
            name
        )
        return try docket.outcome(of: process, name)
    }

    private func clear(_ docket: Docket) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
        where name != "items.txt" {
            try FileManager.default.removeItem(atPath: docket.path(name))
        }
    }
}
