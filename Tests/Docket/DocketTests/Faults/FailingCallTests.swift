import ChildProcess
import Foundation
import SeededRandom
import Testing

/// The nth system call of a command fails, or SQLite's nth request for memory: the store has the
/// state before the command or the one after, the message says what is wrong, and nothing is left.
///
/// `DOCKET_FAULTS` says how many calls are tried of each kind in each command, `all` every one;
/// without it one of some kind in some commands.
@Suite(
    "Failing calls",
    .serialized,
    .enabled(if: FaultyCalls.library != nil, "there is no C compiler")
)
struct FailingCallTests {
    /// A third of them, always the same, unless `DOCKET_FAULTS` asks for more.
    private static func share(of scenarios: [FaultScenario]) -> [FaultScenario] {
        var random = SeededRandom(seed: 1)
        return FaultTally.wanted == nil ? random.share(of: scenarios, oneIn: 3) : scenarios
    }

    @Test(arguments: share(of: FaultScenario.library))
    func aCommandIsCarriedOutAsAWholeOrNotAtAll(_ scenario: FaultScenario) throws {
        try FaultRun(scenario).run()
    }

    @Test(arguments: share(of: FaultScenario.vaults))
    func theVaultIsOpenedByTheOldPassphraseOrTheNewOne(_ scenario: FaultScenario) throws {
        try FaultRun(scenario).run()
    }

    @Test(arguments: share(of: FaultScenario.migrations))
    func aFileIsOfTheOldVersionOrTheNewOne(_ scenario: FaultScenario) throws {
        try FaultRun(scenario).run()
    }

    /// The stores that are read and written as a whole, by a program that counts its launches.
    @Test(arguments: share(of: FaultScenario.wholeFiles))
    func aFileIsTheOldOneOrTheNewOne(_ scenario: FaultScenario) throws {
        try FaultRun(scenario).run()
    }
}

/// All faults during one command.
private final class FaultRun {
    let scenario: FaultScenario
    let docket: Docket
    let report: FaultReport
    let seed = UInt64.random(in: 0..<1_000_000)
    private let pristine: URL
    private var random: SeededRandom
    private var mode = FaultyCalls.Mode.error
    private var tally = FaultTally("")
    private var before = ""
    private var after = ""
    private var template: [String: Data] = [:]
    private var expectedNames: Set<String> = []

    init(_ scenario: FaultScenario) throws {
        self.scenario = scenario
        docket = try Docket.withData()
        report = try FaultReport(docket.path("report"))
        pristine = docket.folder.appending(path: "template")
        random = SeededRandom(seed: seed)
    }

    func run() throws {
        try scenario.prepare(docket)
        template = try contents()
        try FileManager.default.copyItem(at: docket.data, to: pristine)
        before = try scenario.state(docket)
        for (index, mode) in modes.enumerated() {
            self.mode = mode
            tally = FaultTally("\(scenario.name), \(mode.rawValue), seed \(seed)")
            try reset()
            let undisturbed = try command(failing: 0)
            try #require(undisturbed.end == .code(0), "\(undisturbed.errors)")
            let all = report.count
            if index == 0 {
                after = try scenario.state(docket)
                expectedNames = Set(try contents().keys.map(kind)).union(template.keys.map(kind))
            }
            for number in FaultTally.numbers(to: all, few: 1, &random) {
                try reset()
                let outcome = try command(failing: number)
                if report.failed == 0 { continue }
                try judge(
                    outcome,
                    "\(scenario.name), \(mode.rawValue) \(number) of \(all) (\(report.name))"
                )
            }
            tally.report()
        }
    }

    private var modes: [FaultyCalls.Mode] {
        if let chosen = FaultyCalls.chosenModes { return chosen }
        let all = FaultyCalls.Mode.allCases
        if FaultTally.wanted != nil { return all }
        return [random.pick(all)]
    }

    private func command(failing number: Int) throws -> Docket.Outcome {
        try docket.run(
            scenario.command(docket),
            program: scenario.program ?? Docket.program,
            failing: number,
            mode,
            report
        )
    }

    // MARK: Judging

    private func judge(_ outcome: Docket.Outcome, _ place: String) throws {
        switch outcome.end {
        case .code(137) where mode == .kill, .signal(SIGKILL) where mode == .kill: break
        case .code(let code) where code < 124:
            if code != 0 { judge(message: outcome.errors, place) }
        default: Issue.record("\(place): ended by \(outcome.end): \(outcome.errors)")
        }
        // A command that has changed nothing at all needs no look into the store.
        let found = try contents()
        let state = found == template ? before : try scenario.state(docket)
        if state != before, mode != .kill {
            #expect(
                !outcome.errors.contains(#/[Nn]othing (was|were|is|has been)/#),
                "\(place): something was changed, but: \(outcome.errors)"
            )
        }
        if outcome.code == 0 {
            tally.tried("done all the same")
            if state != after {
                tally.loses()
                Issue.record("\(place): acknowledged, but not there:\n\(state)\n\(after)")
            }
        } else if state == after, state != before {
            tally.tried(mode == .kill ? "done" : "done, with an error")
            if mode != .kill { print("\(place): done, but: \(outcome.errors)") }
        } else if scenario.isPart(state) {
            tally.tried("done in part")
        } else {
            tally.tried("not done")
            if state != before {
                tally.loses()
                Issue.record("\(place): half done: \(outcome.errors)\n\(state)\nnot \(before)")
            }
        }
        if found == template { return }
        if scenario.program == nil {
            let doctor = try docket("doctor")
            #expect(doctor.code == 0, "\(place): \(doctor.output) \(doctor.errors)")
        }
        // What a killed process has left, or one that could not delete it, is removed by the next one
        // that does the same.
        if mode == .kill || report.name.hasPrefix("unlink") { _ = try command(failing: 0) }
        let names = Set(try contents().keys.map(kind))
        #expect(names.subtracting(expectedNames) == [], "\(place): left over")
    }

    /// An error is a sentence for people, without names of the code.
    private func judge(message: String, _ place: String) {
        let lines = message.split(separator: "\n")
        #expect(!lines.isEmpty, "\(place): no message")
        #expect(lines.last?.hasSuffix(".") == true, "\(place): \(message)")
        for word in ["Error(", "Optional(", "Fatal", "Code=", "nil"] {
            #expect(!message.contains(word), "\(place): \(message)")
        }
    }

    // MARK: The folder

    /// A name without the parts that differ from run to run.
    private func kind(_ name: String) -> String {
        name.replacing(#/[0-9]+/#, with: "0").replacing("-0.sqlite", with: ".sqlite")
    }

    private func contents() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: docket.data.path) {
            let path = docket.data.appending(path: name).path
            result[name] = FileManager.default.contents(atPath: path) ?? Data()
        }
        return result
    }

    private func reset() throws {
        try FileManager.default.removeItem(at: docket.data)
        try FileManager.default.copyItem(at: pristine, to: docket.data)
    }
}
