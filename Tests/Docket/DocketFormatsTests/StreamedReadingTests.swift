import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

/// Documents that are read in parts.
@Suite struct StreamedReadingTests {
    /// Items, errors and their lines, as texts.
    private func events(
        _ bytes: [UInt8],
        _ format: ExchangeFormat,
        partSize: Int
    ) throws -> [String] {
        let source = ByteSource(bytes, partSize: partSize)
        var settings = Exchange.settings
        settings.makeUUID = { UUIDText.made(from: "fixed") }
        var reader = try format.reader(of: source, settings: settings)
        var result: [String] = []
        while let event = reader.next() { result.append("\(event)") }
        try source.checkWhole()
        return result
    }

    private static let titles = [
        "plain", "Ämter \\u00e4", "quote \\\"", "emoji 🏠", "\\ud83c\\udfe0", "",
    ]

    private func document(_ format: ExchangeFormat, _ random: inout SeededRandom) -> [UInt8] {
        var text = ""
        let isLines = random.chance(2)
        if format != .todotxt { text += isLines ? "" : random.pick(["[", "[\n", "[ \n\t"]) }
        for place in 0..<random.below(12) {
            let title = random.pick(Self.titles)
            switch format {
            case .json:
                text +=
                    "  {\"title\": \"\(title)\", \"priority\": \(place % 5), \"x\": [1.5e3, true]}"
            case .taskwarrior:
                text += "{\"description\":\"\(title)\",\"status\":\"pending\",\"id\":12}"
            default:
                text +=
                    random.pick(["(A) ", "x ", ""]) + title
                    + " +List #tag due:2026-11-2\(place % 10)"
            }
            if format != .todotxt, !isLines { text += "," }
            text += random.pick(["\n", "\n", "\n\n", "\r\n"])
        }
        if format != .todotxt, !isLines { text += "]" }
        var bytes = Array(text.utf8)
        // Some damage, so that errors and what follows them are compared too.
        for _ in 0..<random.below(3) where !bytes.isEmpty {
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        return bytes
    }

    @Test(arguments: [ExchangeFormat.json, .taskwarrior, .todotxt])
    func theSizeOfThePartsDoesNotMatter(format: ExchangeFormat) throws {
        for seed in SeededRandom.seeds(60) {
            var random = SeededRandom(seed: seed)
            let bytes = document(format, &random)
            let whole = try events(bytes, format, partSize: 1 << 20)
            for size in [1, 2, 3, 7, 16, 64] {
                let parts = try events(bytes, format, partSize: size)
                #expect(parts == whole, "seed \(seed), parts of \(size) bytes")
            }
        }
    }

    @Test func theLinesOfErrorsAreThoseOfTheDocument() throws {
        var lines = (0..<5000).map { "{\"title\":\"item \($0)\"}" }
        lines[4321] = "{\"title\" 1}"
        let source = ByteSource(Array(lines.joined(separator: "\n").utf8), partSize: 100)
        var reader = try ExchangeFormat.json.reader(of: source, settings: Exchange.settings)
        var problems: [ImportProblem] = []
        while let event = reader.next() {
            if case .failure(let problem) = event { problems.append(problem) }
        }
        #expect(problems.map(\.line) == [4322])
        #expect(problems.first?.message.contains("at column 10") == true)
    }

    @Test(arguments: [ExchangeFormat.json, .todotxt])
    func anItemThatIsTooLongIsLeftOutAndTheNextIsRead(format: ExchangeFormat) throws {
        let long = String(repeating: "x", count: 5 << 18)
        let text =
            format == .json
            ? "{\"title\":\"a\"}\n{\"title\":\"\(long)\"}\n{\"title\":\"b\"}\n" : "a\n\(long)\nb\n"
        let source = ByteSource(Array(text.utf8), partSize: 1 << 10)
        #expect(source.itemLimit == 16 << 20)
        source.itemLimit = 1 << 20
        let (records, report) = try Exchange.read(source, format)
        #expect(records.map(\.title) == ["a", "b"])
        #expect(report.skipped.map(\.line) == [2])
        #expect(report.skipped.first?.reason.contains("is longer than 1 MB") == true)
    }

    @Test func aPipeIsCopiedAndReadTwice() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let bytes = Array(String(repeating: "some line\n", count: 450_000).utf8)
        let (input, output) = (ends[0], ends[1])
        let writer = Thread {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            close(output)
        }
        writer.start()
        let source = try ByteSource.copying(input)
        close(input)
        #expect(source.remaining() == bytes)
        let first = source.fingerprint
        source.rewind()
        #expect(source.remaining() == bytes)
        #expect(source.fingerprint == first)
    }
}
