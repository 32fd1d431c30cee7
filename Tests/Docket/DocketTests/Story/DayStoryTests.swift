import Foundation
import ScreenReading
import TerminalUI
import Testing
import VirtualTerminal

/// `Resources/day.cast` (asciicast, version 2) and the picture that is made from it show what the
/// program does today.
///
/// `DOCKET_STORY=record` writes both again; then look at them.
@Suite(
    "The story of a day",
    .enabled(if: FaultyCalls.library != nil, "there is no C compiler")
)
struct DayStoryTests {
    private static let resources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Resources").standardizedFileURL
    private static let cast = resources.appending(path: "day.cast")
    private static let picture = resources.appending(path: "day.svg")

    /// An event of the cast: its time, its kind (`i` typed, `o` printed, `m` a mark) and its text.
    private struct Event {
        let time: Double
        let kind: String
        let text: String
    }

    @Test func theCastShowsWhatTheProgramShowsToday() throws {
        if ProcessInfo.processInfo.environment["DOCKET_STORY"] == "record" { try Self.record() }
        let events = try Self.events()
        let steps = DayStory.sessions.flatMap(\.steps)
        #expect(events.filter { $0.kind == "m" }.map(\.text) == steps.map(\.name))
        let typed = events.filter { $0.kind == "i" }.map(\.text).joined()
        #expect(typed == steps.map(\.keys).joined())
        let recorded = try Self.screens(of: events)
        let played = try DayStory().play(expecting: recorded)
        #expect(recorded.count == played.count)
        let shown = steps.filter { !$0.shows.isEmpty }
        for (step, (old, new)) in zip(shown, zip(recorded, played)) {
            #expect(old.lines == new.lines, "\(step.name): record again with DOCKET_STORY=record")
            for row in 0..<old.rows { #expect(old.styles(row) == new.styles(row), "\(step.name)") }
        }
    }

    @Test func thePictureIsThatOfTheCastAndSmall() throws {
        let bytes = try Data(contentsOf: Self.cast)
        let picture = try String(contentsOf: Self.picture, encoding: .utf8)
        #expect(picture.contains(Self.mark(of: bytes)), "record again with DOCKET_STORY=record")
        #expect(bytes.count < 200_000 && picture.utf8.count < 250_000)
        #expect(!picture.contains("<script") && !picture.contains("href"))
    }

    // MARK: The cast

    private static func events() throws -> [Event] {
        let lines = try String(contentsOf: cast, encoding: .utf8).split(separator: "\n")
        let head = try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8))
        let header = try #require(head as? [String: Any])
        #expect(header["version"] as? Int == 2)
        #expect(header["width"] as? Int == DayStory.size.columns)
        #expect(header["height"] as? Int == DayStory.size.rows)
        return try lines.dropFirst().map { line in
            let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
            let event = try #require(read)
            return Event(
                time: try #require(event[0] as? Double),
                kind: try #require(event[1] as? String),
                text: try #require(event[2] as? String)
            )
        }
    }

    /// The screen before each mark but the first, without those of a program that has ended.
    private static func screens(of events: [Event]) throws -> [Canvas] {
        let steps = DayStory.sessions.flatMap(\.steps)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "docket-cast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (screens, printed, step) = ([Canvas](), "", -1)
        func end() throws {
            guard step >= 0, !steps[step].shows.isEmpty else { return }
            let file = folder.appending(path: "printed")
            try Data(printed.utf8).write(to: file)
            let terminal = try VirtualTerminal(
                "/bin/sh",
                arguments: ["-c", "stty -opost; cat \"$0\"", file.path],
                rows: DayStory.size.rows,
                columns: DayStory.size.columns
            )
            _ = try terminal.waitForEnd()
            screens.append(Canvas(terminal))
        }
        for event in events {
            if event.kind == "m" {
                try end()
                step += 1
            } else if event.kind == "o" {
                printed += event.text
            }
        }
        try end()
        return screens
    }

    // MARK: Recording

    private static func record() throws {
        var (time, lines, film) = (0.0, [String](), [(screen: Canvas, seconds: Double)]())
        var last = ""
        func add(_ kind: String, _ text: String) throws {
            let data = try JSONSerialization.data(
                withJSONObject: text,
                options: [.fragmentsAllowed, .withoutEscapingSlashes]
            )
            let hundredths = Int((time * 100).rounded())
            let rest = String(100 + hundredths % 100).dropFirst()
            lines.append(
                "[\(hundredths / 100).\(rest), \"\(kind)\", \(String(decoding: data, as: UTF8.self))]"
            )
        }
        _ = try DayStory().play { step, key, output, screen in
            if step.name != last || key.isEmpty && step.keys.isEmpty {
                try? add("m", step.name)
                last = step.name
            }
            if !key.isEmpty {
                try? add("i", key)
            }
            if !output.isEmpty { try? add("o", String(decoding: output, as: UTF8.self)) }
            let seconds = key.isEmpty ? 2.5 : step.shows.isEmpty ? 0.3 : 0.1
            time += seconds
            if step.shows.isEmpty { return }
            // Of what is typed the picture has every second frame.
            if !key.isEmpty, film.last?.seconds == seconds {
                film[film.count - 1] = (screen, 2 * seconds)
            } else {
                film.append((screen, seconds))
            }
        }
        let header =
            "{\"version\": 2, \"width\": \(DayStory.size.columns), \"height\": \(DayStory.size.rows), "
            + "\"title\": \"A day with Docket\", \"env\": {\"TERM\": \"xterm-256color\"}}"
        let bytes = Data(([header] + lines).joined(separator: "\n").utf8 + [10])
        try bytes.write(to: cast)
        try (ScreenPicture().svg(film) + mark(of: bytes) + "\n")
            .write(to: picture, atomically: true, encoding: .utf8)
    }

    /// A comment that names the cast by its contents (FNV-1a).
    private static func mark(of bytes: Data) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "<!-- day.cast \(String(hash, radix: 16)) -->"
    }
}
