import Foundation
import ScreenReading
import TerminalUI
import VirtualTerminal

/// A day with Docket, played on the real program at fixed times: three sessions on one store.
///
/// Every key waits for the frame that it makes, so that the screens are the same on each machine.
final class DayStory {
    /// A part of the day, and what the screen has when it is over.
    struct Step {
        let name: String
        /// What is typed, as a terminal sends it.
        let keys: String
        let shows: String
    }

    struct Session {
        /// Seconds since 1970.
        let start: Int
        let steps: [Step]
    }

    /// Monday, 23 November 2026, 8:30 UTC.
    private static let morning = 1_795_422_600

    static let sessions = [
        Session(
            start: morning,
            steps: [
                Step(name: "Begin the day", keys: "", shows: "Order seeds"),
                Step(
                    name: "Capture",
                    keys: "aCall the dentist today 14:15 remind me 15 min before #phone\r",
                    shows: "Added \"Call the dentist\""
                ),
                Step(
                    name: "Capture what repeats",
                    keys: "aPay rent fri 9am +Home #bank !high every month\r",
                    shows: "Added \"Pay rent\""
                ),
                Step(name: "Plan the week", keys: "ga", shows: "Agenda"),
                Step(name: "Not today", keys: "j>", shows: "Moved \"Write the report\""),
                Step(name: "Go to work", keys: "q", shows: ""),
            ]
        ),
        Session(
            start: morning + 5 * 3600 + 1800,
            steps: [
                Step(name: "Be reminded", keys: "", shows: "Reminder: \"Call the dentist\""),
                Step(name: "Find it", keys: "/dent\r", shows: "1 found"),
                Step(name: "Done", keys: " ", shows: "Completed \"Call the dentist\""),
                Step(name: "Oh, not yet", keys: "u", shows: "Undid: completed"),
                Step(name: "Done", keys: " ", shows: "Completed \"Call the dentist\""),
                Step(name: "Back to work", keys: "q", shows: ""),
            ]
        ),
        Session(
            start: morning + 10 * 3600 + 1800,
            steps: [
                Step(name: "In the evening", keys: "", shows: "Order seeds"),
                Step(name: "Review", keys: "g=", shows: "Paint the fence"),
                Step(name: "Keep it", keys: "=", shows: "Reviewed \"Paint the fence\""),
                Step(name: "Some day", keys: "y", shows: "2 seen this week"),
                Step(name: "Look back", keys: "\u{1B}gS", shows: "Done a day"),
                Step(name: "Good night", keys: "q", shows: ""),
            ]
        ),
    ]

    /// What happened before the day, each at a number of days before it.
    private static let past = [
        (60, "Paint the fence +Home/Garden"), (50, "Learn to juggle"),
        (20, "Plan the garden +Home/Garden #out"), (12, "Order seeds wed +Home/Garden #out"),
        (9, "Clean the kitchen +Home"), (6, "Answer the letters +Work"),
        (3, "Write the report 23 nov +Work 3h !med"), (2, "Water the plants 23 nov +Home"),
        (2, "Renew the passport 22 nov +Home #admin"),
        (1, "Review the draft thu 10:00 +Work 45m"),
    ]

    static let size = Size(rows: 26, columns: 96)

    private let docket: Docket
    private let report: FaultReport

    init() throws {
        docket = try Docket()
        report = try FaultReport(docket.path("report"))
        for (days, line) in Self.past { try run("add", line, daysBefore: days) }
        try run("done", "5", daysBefore: 5)
        try run("done", "6", daysBefore: 2)
    }

    private func run(_ arguments: String..., daysBefore days: Int) throws {
        setClock(Self.morning - days * 86_400)
        let outcome = try docket.run(arguments, clock: report.clock, report)
        guard outcome.code == 0 else { throw StoryError(outcome.errors) }
    }

    private func setClock(_ moment: Int) {
        report.clock = moment - Int(Date().timeIntervalSince1970)
    }

    /// Plays the day.
    ///
    /// - Parameters:
    ///   - expected: the screens at the ends of the steps; each is waited for. Without them a
    ///     step is over when nothing has been written for a moment.
    ///   - frame: called with each step, the key of which a frame came (or none, at the start),
    ///     what the program wrote for it, and the screen.
    /// - Returns: the screen at the end of each step.
    /// - Throws: `VirtualTerminalError` if a screen does not come.
    func play(
        expecting expected: [Canvas] = [],
        _ frame: (Step, String, [UInt8], Canvas) -> Void = { _, _, _, _ in }
    ) throws -> [Canvas] {
        var screens: [Canvas] = []
        for session in Self.sessions {
            setClock(session.start)
            let terminal = try start()
            var told = 0
            for step in session.steps {
                func tell(_ key: String) {
                    frame(step, key, Array(terminal.output[told...]), Canvas(terminal))
                    told = terminal.output.count
                }
                if step.shows.isEmpty {
                    try terminal.type(step.keys)
                    _ = try terminal.waitForEnd()
                    tell(step.keys)
                    continue
                }
                for key in step.keys {
                    let before = terminal.output.count
                    try terminal.type(String(key))
                    try terminal.wait(for: "a frame after \(key)") {
                        terminal.output.count > before
                    }
                    tell(String(key))
                }
                try terminal.wait(forText: step.shows)
                if screens.count < expected.count {
                    try? terminal.wait(for: step.name) {
                        Canvas(terminal).shows(expected[screens.count])
                    }
                } else {
                    try terminal.settle()
                }
                tell("")
                screens.append(Canvas(terminal))
            }
        }
        return screens
    }

    private func start() throws -> VirtualTerminal {
        var environment = docket.environment
        environment["LD_PRELOAD"] = FaultyCalls.library
        environment["FAULTY_REPORT"] = report.path
        environment["COLORFGBG"] = "15;0"
        return try VirtualTerminal(
            Docket.program,
            environment: environment,
            rows: Self.size.rows,
            columns: Self.size.columns
        )
    }
}

struct StoryError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension VirtualTerminal {
    /// Takes in output until none has come for a moment.
    fileprivate func settle() throws {
        var (count, quiet) = (-1, 0)
        try wait(for: "the end of the output") {
            (count, quiet) = (output.count, output.count == count ? quiet + 1 : 0)
            return quiet > 6
        }
    }
}

extension Canvas {
    /// Whether another canvas has the same texts in the same styles.
    fileprivate func shows(_ other: Canvas) -> Bool {
        lines == other.lines && (0..<rows).allSatisfy { styles($0) == other.styles($0) }
    }

    /// What a terminal shows.
    init(_ terminal: VirtualTerminal) {
        self.init(rows: terminal.rows, columns: terminal.columns)
        for row in 0..<terminal.rows {
            var column = 0
            while column < terminal.columns {
                let cell = terminal.cell(row: row, column: column)
                var attributes: Attributes = []
                if cell.bold { attributes.insert(.bold) }
                if cell.italic { attributes.insert(.italic) }
                if cell.underline { attributes.insert(.underline) }
                if cell.reverse { attributes.insert(.reverse) }
                let style = Style(
                    foreground: Color(cell.foreground),
                    background: Color(cell.background),
                    attributes: attributes
                )
                let text = cell.text.isEmpty ? " " : cell.text
                put(text, at: Position(row: row, column: column), style: style)
                column += max(1, cell.width)
            }
        }
        cursor = terminal.cursor.map { Position(row: $0.row, column: $0.column) }
    }
}

extension Color {
    fileprivate init(_ color: VirtualTerminal.Cell.Color) {
        switch color {
        case .standard: self = .standard
        case .indexed(let index): self = .indexed(UInt8(truncatingIfNeeded: index))
        case .rgb(let number):
            self = .rgb(
                UInt8(truncatingIfNeeded: number >> 16),
                UInt8(truncatingIfNeeded: number >> 8),
                UInt8(truncatingIfNeeded: number)
            )
        }
    }
}
