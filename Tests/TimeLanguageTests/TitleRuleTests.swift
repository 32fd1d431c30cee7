import CivilTime
import FoundationEssentials
import Testing

@testable import TimeLanguage

/// The rules by which a phrase in a title is not read.
@Suite struct TitleRuleTests {
    /// Tue 24 Nov 2026, 10:00 UTC.
    private func read(_ rule: TitleRule, without omitted: String? = nil) -> Recognition {
        let zone = ZoneRules.utc
        var context = DateContext(now: .init(timeIntervalSince1970: 1_795_514_400), zone: zone)
        context.settings.language = rule.language
        let tokens = Tokens(rule.example, rule.language.vocabulary)
        let bytes = Array(rule.example.utf8)
        var reader = TitleReader(tokens, bytes, Resolver(context: context), without: omitted)
        return reader.read()
    }

    @Test(arguments: (TitleRules.text + TitleRules.half).map(\.of))
    func aTitleOfItsClassIsReadOtherwiseWithoutTheRule(_ name: String) throws {
        let rule = try #require((TitleRules.text + TitleRules.half).first { $0.of == name })
        let (whole, omitting) = (read(rule), read(rule, without: name))
        #expect(
            whole.due != omitting.due || whole.start != omitting.start,
            "\(rule.example) does not need the rule"
        )
    }

    @Test func everyRuleHasAClassOfItsOwn() {
        let names = (TitleRules.text + TitleRules.half).map(\.of)
        #expect(Set(names).count == names.count)
    }
}
