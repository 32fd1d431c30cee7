import Foundation
import Testing
import VirtualTerminal

/// `docket agenda`.
@Suite struct AgendaCommandTests {
    private func sample() throws -> Docket {
        let docket = try Docket()
        try docket("add", "Pay rent 2099-03-02 9:00 +Home")
        try docket("add", "Water 2099-03-03 every 2 days")
        try docket("add", "Old 2020-01-01")
        return docket
    }

    @Test func daysHaveTheirLines() throws {
        let docket = try sample()
        #expect(
            try docket("agenda", "--from", "2099-03-01", "--days", "7").lines == [
                "1 Mar 2099: nothing due", "2 Mar 2099",
                "       1 ○ Pay rent  2 Mar 2099 9:00  +Home", "3 Mar 2099",
                "       2 ○ Water  3 Mar 2099", "4 Mar 2099: nothing due", "5 Mar 2099",
                "again  2 ○ Water  5 Mar 2099", "6 Mar 2099: nothing due", "7 Mar 2099",
                "again  2 ○ Water  7 Mar 2099",
            ]
        )
        let today = try docket("agenda")
        #expect(today.lines.first == "Overdue" && today.output.contains("3 ○ Old"))
    }

    @Test func aDayOfTooManyHoursHasASign() throws {
        let docket = try sample()
        try docket("add", "Paint 2099-03-02")
        try docket("edit", "4", "estimate=9h")
        func heading() throws -> String? {
            try docket("agenda", "--from", "2099-03-01", "--days", "3").lines
                .first { $0.hasPrefix("2 Mar") }
        }
        #expect(try heading() == "2 Mar 2099  9 h")
        try docket("config", "set", "day-hours", "6")
        #expect(try heading() == "2 Mar 2099  9 h !")
        try docket("config", "set", "day-hours", "9")
        #expect(try heading() == "2 Mar 2099  9 h")
    }

    @Test func aTerminalGetsTheLastOverdueTasksAndHowManyMoreThereAre() throws {
        let docket = try Docket()
        let lines = (1...14).map { "Late \($0) 2020-01-\($0 < 10 ? "0" : "")\($0)\n" }.joined()
        try docket.write(lines, to: "lines")
        #expect(
            try docket.shell("while read line; do $docket add \"$line\"; done < lines").code == 0
        )
        func shown(_ arguments: String...) throws -> [String] {
            let terminal = try VirtualTerminal(
                Docket.program,
                arguments: ["agenda"] + arguments,
                environment: docket.environment,
                rows: 40
            )
            #expect(try terminal.waitForEnd() == 0)
            return terminal.screen
        }
        let screen = try shown()
        #expect(screen.count { $0.contains("Late") } == 10)
        #expect(
            screen.contains { $0.contains("Late 5 ") }
                && !screen.contains { $0.contains("Late 4 ") }
        )
        #expect(screen.contains("and 4 more, due before; --all prints them"))
        #expect(try shown("--all").count { $0.contains("Late") } == 14)
        #expect(try docket("agenda").lines.count { $0.contains("Late") } == 14, "a pipe gets all")
    }

    @Test func jsonHasAnObjectForEachLine() throws {
        let docket = try sample()
        let output = try docket("agenda", "--from", "2099-03-02", "--days", "4", "--json").output
        let read = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let lines = try #require(read as? [[String: Any]])
        #expect(lines.map { $0["date"] as? String } == ["2099-03-02", "2099-03-03", "2099-03-05"])
        #expect(lines.map { $0["kind"] as? String } == ["due", "due", "later"])
        #expect(lines[0]["time"] as? String == "09:00" && lines[1]["time"] is NSNull)
        #expect((lines[0]["item"] as? [String: Any])?["title"] as? String == "Pay rent")
        #expect(try docket("agenda", "--from", "2098-01-01", "--json").output == "[]\n")
    }

    @Test func wrongOptionsAreExplained() throws {
        let docket = try Docket()
        let days = try docket("agenda", "--days", "0")
        #expect(days.code == 64 && days.errors.contains("--days takes a number from 1 to 366."))
        let from = try docket("agenda", "--from", "soonish")
        #expect(from.code == 1 && from.errors.contains("is not a date"))
    }
}
