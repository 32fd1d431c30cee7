import CReference
import Foundation

extension ProgramBenchmarks {
    /// What one key in a capture line costs: the whole line is read again at every key, which is what
    /// `docket when` does with each line of its input. The start of the program is subtracted.
    func capture() throws {
        let file = folder.appending(path: "lines.txt")
        defer { unlink(file.path) }
        func time(_ lines: [String]) throws -> Double {
            let text = lines.joined(separator: "\n") + "\n"
            try text.write(to: file, atomically: true, encoding: .utf8)
            return median(5) { docket.run(["when", "--json"], input: file.path).seconds }
        }
        let start = try time([""])
        for length in [200, 1000, 10_000] {
            // So many lines that the start is a small part.
            let lines = 400_000 / length
            var worst = 0.0
            for (name, unit) in ProgramBenchmarks.units {
                let line = String(
                    String(repeating: unit, count: length / unit.utf8.count + 1)
                        .prefix(length)
                )
                let one =
                    max(0, try time(Array(repeating: line, count: lines)) - start)
                    / Double(lines)
                worst = max(worst, one)
                if name == "typical" {
                    table.time(
                        "capture, a key in a line of characters",
                        length,
                        one
                    )
                }
            }
            table.time(
                "capture, a key, the worst of bad lines",
                length,
                worst
            )
        }
        let phrases = (0..<10_000).map {
            ProgramBenchmarks.phrases[$0 % ProgramBenchmarks.phrases.count]
        }
        table.time("docket when --json, lines", 10_000, try time(phrases))
        captureKeys()
    }

    /// The same in the interface: a key to the last byte of the frame.
    private func captureKeys() {
        for length in [200, 1000, 10_000] {
            let screen = Screen(docket)
            screen.settle(quiet: 800, within: 20_000)
            screen.send("a")
            screen.settle(quiet: 100)
            let text = String(repeating: ProgramBenchmarks.units[0].text, count: length / 100 + 1)
            screen.send("\u{1B}[200~\(text.prefix(length))\u{1B}[201~")
            screen.settle(quiet: 300)
            let keys = (0..<30).map { _ in screen.key("x") }
            table.time(
                "capture key → last byte of the frame, median",
                length,
                percentile(keys, 0.5)
            )
        }
    }

    /// An ordinary line, and words that many rules begin with.
    private static let units: [(name: String, text: String)] = [
        (
            "typical",
            "Call the dentist about the invoice for Ana, ask whether the appointment can be moved and "
                + "write to Bob by friday 9:15 "
        ),
        ("numbers", "12 "), ("next", "next "), ("every", "every every "), ("of", "of of "),
        ("before", "2 weeks before "), ("clocks", "9:"), ("months", "may "), ("at", "at 5 "),
        ("fractions", "1/2 "), ("days", "mon, "), ("ranges", "from 9 to "),
        ("repetitions", "every 2 weeks on mon "), ("marks", "#a +b @c "),
    ]

    private static let phrases = [
        "Pay rent tomorrow 9am +Home #bank !high", "Call Ana friday at 14:00 about the bill",
        "Submit 2 weeks before christmas", "Water the plants every 3 days", "Read chapter 5",
        "Gym mon 18:30 for 45 min #sport", "3rd tuesday of september 2027 review",
        "Watch Friday Night Lights", "Workshop fri 14-16", "Dinner 8 in the evening @Nonna",
    ]
}
