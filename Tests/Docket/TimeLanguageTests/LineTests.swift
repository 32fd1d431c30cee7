import CivilTime
import FoundationEssentials
import Recurrence
import Testing
import TimeLanguage

/// Lines as people write them down, with all that is taken from each on Tue 24 Nov 2026, 10:00 (UTC).
///
/// `Expected/lines.LANGUAGE.txt` has lines `TEXT => TITLE | FIELDS`, or the text alone for one in which
/// nothing may be recognised.
@Suite struct LineTests {
    @Test(arguments: [Language.english, .german])
    func lineGivesItsFieldsAndKeepsItsTitle(language: Language) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Expected/lines.\(language.rawValue).txt")
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n")
        let reading = Reading(settings: TimeSettings(language: language))
        #expect(lines.count >= 100)
        for line in lines {
            let arrow = line.firstRange(of: " => ")
            let text = String(line[..<(arrow?.lowerBound ?? line.endIndex)])
            let expected = arrow.map { String(line[$0.upperBound...]) } ?? "\(text) |"
            #expect(found(in: text, reading) == expected, "\(text)")
        }
    }

    /// `TITLE | start=… due=… estimate=… every=…`.
    private func found(in text: String, _ reading: Reading) -> String {
        let read = reading.title(text)
        var words = [reading.rest(text), "|"]
        if let start = read.start { words.append("start=\(reading.plain(start))") }
        if let due = read.due { words.append("due=\(reading.plain(due))") }
        if let estimate = read.estimate { words.append("estimate=\(estimate)") }
        if let repetition = read.repetition {
            words.append("every=\(repetition.rule.description)")
        }
        return words.joined(separator: " ")
    }
}
