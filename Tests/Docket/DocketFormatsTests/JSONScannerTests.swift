import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct JSONScannerTests {
    private func value(_ text: String) throws -> JSONValue {
        var scanner = JSONScanner(Array(text.utf8))
        let value = try scanner.value()
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.problem("more follows") }
        return value
    }

    @Test func valuesAreKeptAsWritten() throws {
        let text = #"{"a":[1,-0.50,1E+400,123456789012345678901234567890],"b":{"a":null},"a":true}"#
        var bytes: [UInt8] = []
        JSONText.append(try value(text), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        (#""\u00e4\n\/\\\"\t""#, "ä\n/\\\"\t"), (#""\ud83c\udfe0""#, "🏠"),
        (#""\ud83cx""#, "\u{FFFD}x"), (#""\ud83c\u0041""#, "\u{FFFD}A"), (#""\u0000""#, "\0"),
        ("\"a\tb\"", "a\tb"), (#""日本""#, "日本"), (#""""#, ""),
    ])
    func stringsAreDecoded(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", "-", "1e", "\"a", "\"\\x\"",
        "\"\\u12g4\"", "tru", "nul", "'a'", "[1 2]", "{\"a\":1,}", "\u{0}", "\"a\nb\"", "+1", "NaN",
        "{\"a\":1 \"b\":2}", "]", "}", ":", ",", "\\", "\u{FEFF}\u{FEFF}1",
    ])
    func brokenTextIsRefused(text: String) {
        #expect(throws: JSONScanner.Problem.self) { try value(text) }
    }

    @Test func deepNestingIsRefused() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONScanner.Problem.self) { try value(deep) }
        let open = String(repeating: "[{\"a\":", count: 100_000)
        #expect(throws: JSONScanner.Problem.self) { try value(open) }
        // What is kept from another program stays readable in our own files and in the store.
        let deepest =
            #"{"description":"A","x":"# + String(repeating: "[", count: 99)
            + String(repeating: "]", count: 99) + "}"
        let record = try #require(try Exchange.read(deepest, .taskwarrior).records.first)
        let own = Exchange.write([record], .json).text
        let again = try #require(try Exchange.read(own, .json).records.first)
        #expect(again == record)
        #expect(try ForeignFields(text: again.extra.text) == record.extra)
        let allowed = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        _ = try value(allowed)
    }

    @Test func everyTextAndNumberIsReadAsItWasWritten() throws {
        var random = SeededRandom()
        let parts = [
            "a", " ", "~", "é", "🏠", "\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "\u{80}",
        ]
        for _ in 0..<2000 {
            let isPlain = random.chance(2)
            let text = (0..<Int.random(in: 0...40, using: &random))
                .map { _ in isPlain && !random.chance(9) ? "x" : random.pick(parts) }.joined()
            var bytes: [UInt8] = []
            JSONText.append(text, to: &bytes)
            let written = String(decoding: bytes, as: UTF8.self)
            #expect(try value(written) == .string(text))
            #expect(ForeignFields.canPassOn("{\"a\":\(written)}"), "\(text)")
            #expect(!ForeignFields.canPassOn("{\"a\":\(written.dropLast())}"))
        }
        for number in [0, 9, 10, -1, 1_234_567, Int64.max, Int64.min] {
            var bytes: [UInt8] = []
            JSONText.append(number, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
        }
    }

    /// What Foundation accepts, the scanner must accept with the same meaning.
    @Test func randomValuesAgreeWithFoundation() throws {
        var random = SeededRandom()
        func make(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
            case 0: return .null
            case 1: return .bool(Bool.random(using: &random))
            case 2: return .number("\(Int.random(in: -1000...1000, using: &random))")
            case 3: return .string(RandomRecord.title(&random))
            case 4:
                return .array(
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in make(depth + 1) }
                )
            default:
                return .object(
                    (0..<Int.random(in: 0...3, using: &random)).map {
                        JSONMember("k\($0)", make(depth + 1))
                    }
                )
            }
        }
        for _ in 0..<500 {
            let tree = JSONValue.array([make(0)])
            var bytes: [UInt8] = []
            JSONText.append(tree, to: &bytes)
            let foundation = try JSONSerialization.jsonObject(with: Data(bytes))
            let pretty = try JSONSerialization.data(
                withJSONObject: foundation,
                options: [.prettyPrinted, .sortedKeys]
            )
            #expect(try value(String(decoding: pretty, as: UTF8.self)) == tree)
        }
    }

    @Test func randomDamageIsSurvived() {
        var random = SeededRandom()
        let text = Exchange.write(
            (0..<5).map { _ in RandomRecord.make(&random) },
            .json
        ).text
        let bytes = Array(text.utf8)
        for _ in 0..<300 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) where !broken.isEmpty {
                let index = Int.random(in: 0..<broken.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: broken[index] = UInt8.random(in: 0...255, using: &random)
                case 1: broken.remove(at: index)
                default: broken = Array(broken[..<max(index, 1)])
                }
            }
            for format in [ExchangeFormat.json, .taskwarrior, .todotxt] {
                guard var reader = try? format.reader(of: broken, settings: Exchange.settings)
                else { continue }
                var events = 0
                while let event = reader.next() {
                    events += 1
                    if case .failure(let problem) = event {
                        #expect(problem.line >= 1)
                        #expect(problem.message.hasSuffix("."))
                    }
                }
                #expect(events <= broken.count + 1)
            }
        }
    }
}
