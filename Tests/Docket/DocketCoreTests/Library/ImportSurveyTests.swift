import DocketFormats
import FixedTime
import Foundation
import Glibc
import SeededRandom
import Testing

@testable import DocketCore

/// The first reading of a document by two threads finds what that by one finds.
@Suite struct ImportSurveyTests {
    private let settings = ExchangeSettings(dates: Fixed.context)

    private func survey(
        _ file: URL,
        _ format: ExchangeFormat,
        _ leastToCut: Int
    ) throws -> ImportSurvey {
        let source = try ByteSource.opening(file.path)
        return try ImportSurvey(source, format, settings, leastToCut: leastToCut)
    }

    /// A list of items in one of the forms that programs write, with what they get wrong.
    private func document(_ random: inout SeededRandom) -> String {
        let isArray = random.below(4) > 0
        let isIndented = random.below(3) == 0
        let mistakes = random.below(3)
        var uuids: [String] = []
        var lines: [String] = []
        for index in 0..<(1 + random.below(60)) {
            var members = ["\"title\": \"item \(index)\"", "\"description\": \"item \(index)\""]
            if random.below(8) > 0 {
                let isSame = mistakes == 2 && random.below(10) == 0
                let uuid =
                    (isSame ? random.pick(uuids.isEmpty ? [""] : uuids) : nil)
                    ?? UUIDText.made(from: "\(index) \(random.below(1000))").uuidString
                uuids.append(uuid)
                members.append("\"uuid\": \"\(uuid)\"")
            }
            if random.below(6) == 0, let parent = uuids.randomElement(using: &random) {
                members.append("\"parent\": \"\(parent)\"")
            }
            if random.below(5) == 0 {
                members.append(
                    "\"annotations\": [\n{\"entry\": \"20250101T000000Z\",\n"
                        + "\"description\": \"{ a note\"}\n]"
                )
            }
            if random.below(7) == 0 { members.append("\"priority\": \"urgent\"") }
            if mistakes == 1, random.below(20) == 0 { members.append("\"due\": broken") }
            let separator = isIndented ? ",\n    " : ", "
            let item = "{" + members.joined(separator: separator) + "}"
            lines.append(isIndented ? "  " + item : item)
        }
        let separator = isArray && random.below(5) > 0 ? ",\n" : "\n"
        let list = lines.joined(separator: separator)
        if !isArray { return list }
        return "[\n" + list + (mistakes == 1 && random.below(4) == 0 ? "\n" : "\n]\n")
    }

    @Test(arguments: SeededRandom.seeds(200))
    func twoThreadsFindWhatOneFinds(_ seed: UInt64) throws {
        let folder = try LibraryFolder()
        var random = SeededRandom(seed: seed)
        let file = folder.store.deletingLastPathComponent().appending(path: "items.json")
        let text = document(&random)
        try Data(text.utf8).write(to: file)
        for format in [ExchangeFormat.json, .taskwarrior] {
            let one = try survey(file, format, .max)
            let two = try survey(file, format, 0)
            #expect(two.count == one.count, "seed \(seed): \(text)")
            #expect(two.failures == one.failures, "seed \(seed): \(text)")
            #expect(two.leftOut == one.leftOut, "seed \(seed): \(text)")
            #expect(two.fingerprint == one.fingerprint, "seed \(seed): \(text)")
            #expect(
                two.report.details(limit: .max) == one.report.details(limit: .max),
                "seed \(seed): \(text)"
            )
        }
    }

    /// So that the test above tests something.
    @Test func aDocumentIsCutBetweenItems() throws {
        let folder = try LibraryFolder()
        let file = folder.store.deletingLastPathComponent().appending(path: "items.json")
        let lines = (0..<100).map { "{\"title\":\"item \($0)\"}" }
        try Data("[\n\(lines.joined(separator: ",\n"))\n]".utf8).write(to: file)
        let source = try ByteSource.opening(file.path)
        let second = try #require(source.cutInTwo(atLeast: 0))
        #expect(source.share == .firstHalf && second.share == .secondHalf(isInArray: true))
        let (first, rest) = (source.remaining(), second.remaining())
        #expect(first.last == 10 && rest.first == UInt8(ascii: "{"))
        #expect(first + rest == Array(try Data(contentsOf: file)))
        #expect(second.linesOfFirstHalf == first.count { $0 == 10 })
        #expect(source.cutInTwo(atLeast: .max) == nil)
        source.join()
        #expect(source.cutInTwo(atLeast: .max) == nil)
    }
}
