import CivilTime
import FoundationEssentials
import Testing

@testable import TimeLanguage

/// The rows by which a phrase in a title is taken or not.
@Suite struct TitleRuleTests {
    struct Row {
        var of: String
        var examples: [String]
        var language: Language

        init<Place>(_ rule: TitleRule<Place>) {
            (of, examples, language) = (rule.of, rule.examples, rule.language)
        }
    }

    static let rows: [Row] = {
        let phrases = TitleRules.text + TitleRules.half + TitleRules.taken
        let places =
            TitleRules.leads.map(\.row) + TitleRules.weakRepetitions + TitleRules.repetitions
            + TitleRules.ranges
        return phrases.map(Row.init) + places.map(Row.init)
    }()

    /// The title with brackets around what is taken on Tue 24 Nov 2026, 10:00 UTC.
    func marked(
        _ example: String,
        _ language: Language,
        without omitted: String? = nil
    ) -> String {
        var context = DateContext(now: .init(timeIntervalSince1970: 1_795_514_400), zone: .utc)
        context.settings.language = language
        var bytes = example.utf8.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
        let tokens = Tokens(bytes, language.vocabulary, barriers: [])
        var reader = TitleReader(tokens, bytes, Resolver(context: context), without: omitted)
        for span in reader.read().spans.reversed() where span.kind != .problem {
            bytes.insert(UInt8(ascii: "]"), at: span.range.upperBound)
            bytes.insert(UInt8(ascii: "["), at: span.range.lowerBound)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Each row has examples on both sides, and decides at least one of them.
    @Test(arguments: rows.map(\.of))
    func examplesAreReadAsTheySayAndNeedTheirRow(_ name: String) throws {
        let row = try #require(Self.rows.first { $0.of == name })
        #expect(row.examples.contains { $0.contains("[") }, "nothing is taken from an example")
        #expect(row.examples.contains { !$0.contains("[") }, "no example is left as it is")
        for example in row.examples { #expect(marked(example, row.language) == example) }
        let isDecisive = row.examples.contains {
            marked($0, row.language, without: name) != $0
        }
        #expect(isDecisive, "no example needs the row")
    }

    @Test func everyRowHasAClassOfItsOwn() {
        let names = Self.rows.map(\.of)
        #expect(
            Set(names).count == names.count,
            "\(names.filter { name in names.count { $0 == name } > 1 })"
        )
    }
}
