import Foundation
import Testing

/// `docket stats`, and `docket start`, `stop` and `time`.
@Suite struct StatsCommandTests {
    private func sample() throws -> Docket {
        let docket = try Docket()
        for line in ["Pay rent +Home", "Plan <trip> & more +Work", "Read"] {
            try docket("add", line)
        }
        try docket("done", "1")
        return docket
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func plotsHaveTheirNumbersInWords() throws {
        let docket = try sample()
        let output = try docket("stats").output
        #expect(output.contains("1 done this week, 1 more than last"))
        #expect(output.contains("2 open"))
        #expect(output.contains("Burndown of Home"))
        let list = try docket("stats", "--list", "Work").output
        #expect(list.contains("0 done this week") && list.contains("1 open"))
    }

    @Test func jsonHasADayForEachDayAndTheWords() throws {
        let docket = try sample()
        let stats = try json(docket("stats", "--json").output)
        let days = try #require(stats["days"] as? [[String: Any]])
        #expect((50...56).contains(days.count))
        #expect(days.last?["done"] as? Int == 1 && days.last?["open"] as? Int == 2)
        let hours = try #require(stats["hours"] as? [[String: Any]])
        #expect(hours.count == 7 && (hours[0]["done"] as? [Int])?.count == 24)
        #expect((stats["words"] as? [String: Any])?.count == 6)
    }

    @Test func aPictureIsWrittenToAFile() throws {
        let docket = try sample()
        let file = docket.folder.appendingPathComponent("stats.svg")
        let result = try docket("stats", "--svg", file.path)
        #expect(result.code == 0 && result.errors.contains("Wrote"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasPrefix("<svg ") && text.contains("1 done this week"))
        // Every part that begins ends.
        for name in ["svg", "g", "text", "style"] {
            let begins = text.components(separatedBy: "<\(name)").count
            #expect(begins == text.components(separatedBy: "</\(name)>").count, "\(name)")
        }
        let missing = try docket("stats", "--svg", "/no/such/folder/x.svg")
        #expect(missing.code != 0 && missing.errors.contains("cannot be written"))
    }

    @Test func wrongOptionsAreExplained() throws {
        let docket = try sample()
        let list = try docket("stats", "--list", "Nowhere")
        #expect(list.code != 0 && list.errors.contains("The list \"Nowhere\" does not exist."))
        #expect(try docket("stats", "--json", "--svg", "x").code == 64)
        #expect(try docket("time", "--days", "0").code == 64)
    }

    @Test func aTimerIsStartedStoppedAndTakenBack() throws {
        let docket = try sample()
        #expect(try docket("start", "2").output.hasPrefix("Started the timer of \"Plan <trip>"))
        #expect(try docket("start", "2").output.contains("runs already"))
        let running = try json(docket("time", "--json").output)
        #expect((running["running"] as? [String: Any])?["title"] as? String == "Plan <trip> & more")
        #expect(try docket("start", "3").output.contains("stopped that of"))
        let early = try docket("stop", "--at", "2020-01-01 9:00")
        #expect(early.code != 0 && early.errors.contains("--at takes a moment after the start"))
        #expect(try docket("stop").output.hasPrefix("Stopped the timer of \"Read\""))
        let none = try docket("stop")
        #expect(none.code == 1 && none.errors.contains("No timer runs."))
        try docket("undo")
        #expect(try docket("time").output.contains("Running since"))
        try docket("done", "3")
        #expect(!(try docket("time").output.contains("Running since")))
    }
}
