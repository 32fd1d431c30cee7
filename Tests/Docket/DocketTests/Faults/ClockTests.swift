import Foundation
import Glibc
import SeededRandom
import Testing

/// A clock that jumps, in both directions, between commands.
@Suite(
    "A clock that jumps",
    .serialized,
    .enabled(if: FaultyCalls.library != nil, "there is no C compiler")
)
struct ClockTests {
    private static let day = 86_400
    private let docket: Docket
    private let report: FaultReport

    init() throws {
        docket = try Docket.withData()
        report = try FaultReport(docket.path("report"))
    }

    @discardableResult
    private func run(_ arguments: String..., at seconds: Int) throws -> Docket.Outcome {
        let outcome = try docket.run(arguments, clock: seconds, report)
        #expect(outcome.code == 0, "\(arguments) at \(seconds): \(outcome.errors)")
        return outcome
    }

    @Test func undoAndHistoryFollowTheOrderOfTheCommands() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededRandom(seed: seed)
        var tally = FaultTally("clock, seed \(seed)")
        var titles: [String] = []
        for index in 1...12 {
            let years = random.below(21) - 10
            try run("add", "item \(index)", at: years * 365 * Self.day + random.below(Self.day))
            titles.append("item \(index)")
            tally.tried("added")
        }
        let shown = try run("history", at: -20 * 365 * Self.day).lines
        #expect(shown.count == 12)
        for (line, title) in zip(shown, titles.reversed()) {
            #expect(line.hasPrefix("undo  Added \"\(title)\""), "seed \(seed): \(line)")
        }
        for count in stride(from: 12, to: 6, by: -1) {
            let jump = (random.below(21) - 10) * 365 * Self.day
            let outcome = try run("undo", at: jump)
            #expect(outcome.output == "Undid: added \"item \(count)\"\n", "seed \(seed)")
            tally.tried("undone")
        }
        try run("redo", at: -30 * 365 * Self.day)
        #expect(try docket.titles("--all") == Array(titles.prefix(7)), "seed \(seed)")
        #expect(try docket("doctor").code == 0, "seed \(seed)")
        tally.report()
    }

    @Test func theDailyBackupIsMadeOnceADayAndStaysAfterTheClockWasSetBack() throws {
        func backups() throws -> [String] { try docket("backup", "--list").lines }
        for (index, title) in ["one", "two"].enumerated() {
            try run("add", title, at: (index - 3) * Self.day)
        }
        try run("backup", "--daily", at: 0)
        #expect(try backups().count == 1)
        // The clock was ahead by a year for some days, and is right again.
        for index in 0..<9 {
            try run("backup", "--daily", at: (365 + 2 * index) * Self.day)
        }
        let ahead = try backups()
        #expect(ahead.count > 5)
        for days in [1, 2, 3] {
            for _ in 0..<3 {
                try run("backup", "--daily", at: days * 2 * Self.day)
                let now = try docket.run(["backup", "--list"], clock: 0, report).lines
                let own = now.filter { !ahead.contains($0) }
                #expect(own.count == days, "once for each day: \(now)")
            }
        }
    }

    @Test func wrongPassphrasesAreDelayedHoweverTheClockIsSet() throws {
        try docket.makeVault()
        // As after eleven wrong passphrases just now.
        let start = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        try docket.write(
            "unlock-delay 1 11 \(Date().timeIntervalSince1970) \(now.tv_sec).0 \(start)",
            to: "data/docket-vault.sqlite.unlock"
        )
        for days in [1, -1, 365, -3650] {
            let early = try docket.run(
                ["vault", "list", "--passphrase-file", docket.path("pw")],
                clock: days * Self.day,
                report
            )
            #expect(early.code == 6 && early.errors.contains("Try again in"), "\(early)")
        }
    }
}
