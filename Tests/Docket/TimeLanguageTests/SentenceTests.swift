import CivilTime
import FoundationEssentials
import Testing
import TimeLanguage

/// Sentences of the kinds that public corpora of dates contain, with the date that is taken from each.
///
/// `Expected/sentences.txt` has a line `# NOW ZONE`, then `SENTENCE = DUE`, `SENTENCE = START to DUE`, or
/// `SENTENCE =` for one in which nothing may be recognised.
@Suite struct SentenceTests {
    @Test func sentencesMeanTheirDatesAndTheOthersStayText() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Expected/sentences.txt")
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n")
        var reading = Reading()
        var (dated, innocent) = (0, 0)
        for line in lines {
            if line.hasPrefix("# ") {
                let head = line.split(separator: " ")
                let hours = Int(head[2].dropFirst(3)) ?? 0
                reading.now = String(head[1])
                reading.zone = ZoneRules(fixed: hours * 3600, name: String(head[2]))
                continue
            }
            let equals = try #require(line.lastIndex(of: "="))
            let text = String(line[..<equals].dropLast())
            let expected = String(line[equals...].dropFirst(2))
            let read = reading.title(text)
            let due = reading.plain(read.due)
            let found = read.start.map { "\(reading.plain($0)) to \(due)" } ?? due
            #expect(found == expected, "\(text)")
            if expected.isEmpty { innocent += 1 } else { dated += 1 }
        }
        #expect(dated >= 500 && innocent >= 300, "\(dated) \(innocent)")
    }
}
