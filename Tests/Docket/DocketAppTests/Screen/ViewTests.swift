import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// Every view at every size and in every look.
///
/// With `DOCKET_PICTURES`, the path of a folder, each becomes an SVG there, to be looked at.
@Suite struct ViewTests {
    /// A view, and how one gets to it.
    struct View: CustomTestStringConvertible {
        let name: String
        /// The keys, and what is typed then.
        var keys = ""
        var typed = ""
        /// What the title line names.
        var title = "All"
        /// What the row of the cursor has.
        let cursor: String
        var testDescription: String { name }
    }

    static let views = [
        View(name: "main", cursor: "Pay rent"),
        View(name: "lists", keys: "h", title: "Docket", cursor: "All"),
        View(name: "detail", keys: "tab", cursor: ""),
        View(name: "agenda", keys: "g a", title: "Agenda", cursor: "Review"),
        View(name: "month", keys: "g M", title: "November 2026", cursor: "21"),
        View(name: "reader", keys: "/", typed: "rail pass\n\u{1B}o", title: "Trip", cursor: "Trip"),
        View(name: "form", keys: "e", cursor: "Title"),
        View(name: "note form", keys: "/", typed: "rail pass\n\u{1B}e", cursor: "Title"),
        View(name: "review", keys: "g =", title: "Review", cursor: "Order"),
        View(name: "focus", keys: "F", title: "Focus", cursor: "Pay rent"),
        View(name: "statistics", keys: "g S", title: "Statistics", cursor: "Done"),
        View(name: "trash", keys: "g x", title: "Trash", cursor: "Old"),
        View(name: "history", keys: "U", title: "History", cursor: "Edited"),
        View(name: "preview", keys: "U j j p", title: "History", cursor: "Added"),
        View(name: "settings", keys: ",", title: "Settings", cursor: "Theme"),
        View(name: "keys of the settings", keys: ", tab tab", title: "Settings", cursor: "Next"),
        View(
            name: "colours",
            keys: ", /",
            typed: "colour of tag\n\n",
            title: "Settings",
            cursor: "name"
        ),
        View(name: "help", keys: "?", cursor: "Moving"),
        View(name: "palette", keys: ":", cursor: "what to do"),
        View(
            name: "capture",
            keys: "a",
            typed: "Call Ana day after tomorrow 9:15 +Home #phone every 6 months",
            cursor: "every"
        ),
        View(name: "suggestions", keys: "a", typed: "Call +H", cursor: "Call"),
        View(name: "search", keys: "/", typed: "gar pl", cursor: "gar pl"),
        View(name: "nothing found", keys: "/", typed: "zzz", cursor: "zzz"),
        View(name: "which key", keys: "z", cursor: "this evening"),
        View(name: "date", keys: "D", cursor: "Due"),
        View(name: "tags", keys: "t", cursor: "Tags"),
        View(name: "move", keys: "m", cursor: "a list"),
        View(name: "blockers", keys: "w", cursor: "words of a task"),
        View(name: "dependencies", keys: "g w", title: "Dependencies", cursor: "Wait for"),
        View(name: "question", keys: "j space", cursor: "Complete them"),
        View(name: "smart list", keys: "L n", cursor: "a name"),
        View(name: "marks", keys: "v j v j v", cursor: "Soil"),
        View(name: "done shown", keys: ".", cursor: "Pay rent"),
        View(name: "context menu", keys: "menu", cursor: ""),
        View(name: "vault", keys: "g v", cursor: ""),
        View(name: "inspector", keys: "g e enter", title: "Store", cursor: ""),
        View(name: "empty list", keys: "g f", title: "Flagged", cursor: ""),
    ]

    static let sizes = [(36, 120), (24, 80), (20, 60), (10, 40), (100, 300)]

    /// How the terminal looks.
    enum Look: String, CaseIterable {
        case dark, light, sixteen, mono

        func robot() throws -> Robot {
            let robot = try Robot(
                rows: 36,
                columns: 120,
                colors: self == .sixteen ? 16 : 256,
                noColor: self == .mono,
                sample: ViewTests.household
            )
            if self == .light { robot.send(.report(.background(.rgb(255, 255, 255)))) }
            return robot
        }
    }

    private static let folder = ProcessInfo.processInfo.environment["DOCKET_PICTURES"]

    @Test(arguments: views) func isWholeAndHasTheCursorAtEverySize(view: View) throws {
        var texts: [String: [String]] = [:]
        // The text is the same in all looks; pictures want to be looked at in each.
        for look in Self.folder == nil ? [.dark, .mono] : Look.allCases {
            let robot = try look.robot()
            if !view.keys.isEmpty { try robot.press(view.keys) }
            if !view.typed.isEmpty { robot.type(view.typed) }
            for (rows, columns) in Self.sizes {
                robot.resize(rows: rows, columns: columns)
                let what = "\(view.name), \(columns) × \(rows), \(look)"
                let frame = robot.terminal.frame
                try picture(of: frame, "\(view.name)-\(columns)x\(rows)-\(look)", look)
                frame.checkInvariants()
                if look == .mono {
                    let styles = (0..<rows).flatMap { frame.styles($0) }
                    let isPlain = styles.allSatisfy {
                        $0.foreground.isStandard && $0.background.isStandard
                    }
                    #expect(isPlain, "\(what) has colours")
                }
                for line in robot.screen { #expect(DisplayWidth.of(line) <= columns, "\(what)") }
                #expect(robot.screen[0].contains(view.title), "\(what): \(robot.screen[0])")
                let cursor = try #require(frame.cursor, "\(what)\n\(robot.text)")
                let row = frame.text(cursor.row)
                #expect(
                    view.cursor.isEmpty || row.contains(view.cursor),
                    "\(what)\n\(robot.text)"
                )
                // Colours add nothing to what the text says; only the settings name them.
                if view.title == "Settings" { continue }
                let text = texts["\(columns) × \(rows)", default: robot.screen]
                #expect(robot.screen == text, "\(what)")
                texts["\(columns) × \(rows)"] = text
            }
        }
    }

    /// The pictures that README.md shows; `DOCKET_PICTURES=README` writes them.
    private static let shown = [
        "main-120x36-dark": "screen", "form-120x36-dark": "form", "search-120x36-dark": "search",
        "main-60x20-dark": "narrow",
    ]

    private func picture(of canvas: Canvas, _ name: String, _ look: Look) throws {
        guard var folder = Self.folder else { return }
        var name = name.replacing(" ", with: "-")
        if folder == "README" {
            guard let shown = Self.shown[name] else { return }
            (folder, name) = (#filePath + "/../../../../../Resources", shown)
        }
        let file = URL(filePath: folder).standardizedFileURL.appending(path: name + ".svg")
        try ScreenPicture(isLight: look == .light).svg(canvas)
            .write(to: file, atomically: true, encoding: .utf8)
    }

    /// A household with all that a view can show.
    static let household = Sample("views") { library in
        try Sample.home.fill(library)
        for line in [
            "Review pull request today 14:30 +Work #code 30m !!!",
            "Water the plants today every week +Home",
            "Renew the passport before the trip to Japan 18 nov +Home #admin !!!",
            "Call the dentist about the appointment that was moved because of the holidays today +Home #phone",
            "1:1 with Mira fri 10:00 every week +Work 45m", "Paint the fence +Home/Garden",
            "Wait for a dry week +Home/Garden",
            "会議の議事録を書く mon +Work #日本", "Write the report 30 nov +Work #writing 3h !med",
            "Order parts for the bicycle +Someday", "Learn to juggle +Someday", "Old invoice +Work",
            "Prepare the slides wed 16:00 +Work/Conference #writing", "Book the train +Trip",
        ] {
            _ = try library.addTask(capturing: line)
        }
        func found(_ start: String) throws -> [Item] {
            try library.items(matching: Condition { $0.title.beginsWith(start) })
        }
        let weather = try found("Wait for")[0].shortID
        try library.edit(found("Paint")[0], [FieldChange("waits=\(weather)")])
        try library.complete(found("Book the train"))
        try library.trash(found("Old invoice"))
        let trip = try library.addNote(capturing: "Trip to Japan +Trip")
        try library.setText(
            """
            # Before

            - [x] passport valid until 2029
            - [ ] rail pass: see [[Soil test results]]
            - [ ] tell **Ana** about the *cat*

            | Leg | Price | Booked |
            |---|---:|---|
            | Tokyo – Kyoto | ¥13,970 | no |
            | 京都 – 大阪 | ¥580 | yes |

            > Trains are on time.

            ```
            make trip
            ```

            More at https://example.org/japan.
            """,
            of: trip
        )
        let now = library.clock().now
        let tasks = try library.items(matching: Condition { $0.title.beginsWith("Order parts") })
        for task in tasks { task.modified = now.addingTimeInterval(-40 * 86_400) }
        try library.context.save(as: "Edited tasks")
        for day in 0..<40 {
            let task = try library.addTask(capturing: "Chore \(day) +Home")
            task.created = now.addingTimeInterval(-Double(day + 3) * 86_400)
            task.completed = now.addingTimeInterval(-Double(day * 7 % 40) * 86_400)
        }
        try library.context.save(as: "Edited tasks")
    }
}
