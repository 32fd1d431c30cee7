import Foundation
import Testing

/// `docket history --trim`.
@Suite("Trimming the history") struct HistoryTrimTests {
    private func settings(_ docket: Docket, _ text: String) throws {
        let folder = docket.folder.appending(path: ".config/docket")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "config.toml"))
    }

    private func filled() throws -> Docket {
        try Docket.copy("six items") { docket in
            for index in 1...6 { try docket("add", "item \(index)") }
        }
    }

    @Test func itSaysHowManyStepsWentAndHowFarUndoReaches() throws {
        let docket = try filled()
        let outcome = try docket("history", "--trim", "--steps", "2")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("Forgot 4 steps; undo reaches back 2 steps, to "))
        #expect(outcome.output.contains("smaller."))
        #expect(try docket("history").lines.count == 2)
        #expect(try docket.items().count == 6)
        for code: Int32 in [0, 0, 3] { #expect(try docket("undo").code == code) }
        #expect(try docket.items().count == 4)
        #expect(try docket.integrity() == "ok")
    }

    @Test func whyOneStepStaysIsSaid() throws {
        let docket = try filled()
        let outcome = try docket("history", "--trim", "--steps", "0")
        #expect(outcome.output.contains("undo reaches back 1 step"), "\(outcome)")
        #expect(outcome.output.contains("The newest step stays: the numbers of"), "\(outcome)")
    }

    @Test func withoutALimitNothingIsForgotten() throws {
        let docket = try filled()
        let outcome = try docket("history", "--trim")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("no limit"))
        #expect(try docket("history").lines.count == 6)
        let none = try docket("history", "--trim", "--age", "1 year", "--size", "20 MB")
        #expect(none.output.hasPrefix("Nothing was forgotten; undo reaches back 6 steps"))
    }

    @Test func theSettingIsAPromiseAndALimit() throws {
        let docket = try filled()
        try settings(docket, "[history]\nsteps = 4\n")
        let less = try docket("history", "--trim", "--steps", "3")
        #expect(less.code == 1)
        #expect(less.errors.contains("promises that undo reaches back 4 steps"))
        #expect(try docket("history").lines.count == 6)
        let age = try docket("history", "--trim", "--age", "0 days")
        #expect(age.code == 1)
        let outcome = try docket("history", "--trim")
        #expect(outcome.output.hasPrefix("Forgot 2 steps; undo reaches back 4 steps"))
    }

    @Test func wrongLimitsAreRefusedBeforeAnythingHappens() throws {
        let docket = try filled()
        for arguments in [
            ["--steps", "-1"], ["--age", "soon"], ["--size", "20"], ["--steps", "many"],
        ] {
            let process = try docket.start(
                Docket.program,
                ["history", "--trim"] + arguments,
                "run"
            )
            #expect(try docket.outcome(of: process, "run").code == 64, "\(arguments)")
        }
        let process = try docket.start(Docket.program, ["history", "--steps", "2"], "run")
        #expect(try docket.outcome(of: process, "run").code == 64)
        #expect(try docket("history").lines.count == 6)
    }
}
