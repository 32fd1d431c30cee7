import CivilTime
import FixedTime
import FoundationEssentials
import RandomRules
import Recurrence
import SeededRandom
import Testing

@testable import TimeLanguage

@Suite struct RepetitionWordsTests {
    /// Half of `DOCKET_RULES` in each language.
    private static let count =
        (ProcessInfo.processInfo.environment["DOCKET_RULES"].flatMap { Int($0) } ?? 1000) / 2

    /// Every rule has words, and the words give the rule again.
    @Test(arguments: Language.allCases)
    func wordsOfARuleAreReadAsTheRule(language: Language) throws {
        var random = SeededRandom()
        let settings = TimeSettings(language: language)
        let recogniser = Recogniser(context: Fixed.context, settings: settings)
        var failures = 0
        for _ in 0..<RepetitionWordsTests.count {
            let rule = RandomRule.next(&random).rule
            var times = Occurrences(rule, start: .local(LocalTime(Fixed.context.today)))
            if case .until = rule.parts.end {} else if times.next() == nil { continue }
            let repetition = Repetition(rule, isFromCompletion: random.chance(4))
            let words = repetition.words(language)
            let read = Result { try recogniser.repetition(words) }
            if case .success(repetition) = read { continue }
            failures += 1
            Issue.record("\(rule) is \"\(words)\", read as \(read)")
            if failures == 8 { return }
        }
    }
}
