import CivilTime
import Recurrence
import SeededRandom
import Testing

@testable import TimeLanguage

/// Repetitions made of a beginning, times and an end, in both orders and at both ends of a title, read
/// on Tue 24 Nov 2026, 10:00 (UTC).
@Suite struct RepetitionCompositionTests {
    /// Words, and the parts of the rule that they mean.
    typealias Part = (words: String, rule: String)

    private struct Words: Sendable {
        let heads: [Part]
        let times: [Part]
        let ends: [Part]
        let titles: [String]
    }

    private static let english = Words(
        heads: [
            ("every day", "FREQ=DAILY"), ("every other day", "FREQ=DAILY;INTERVAL=2"),
            ("every 3 days", "FREQ=DAILY;INTERVAL=3"), ("every week", "FREQ=WEEKLY"),
            ("once a week", "FREQ=WEEKLY"), ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
            ("once every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
            ("every couple of weeks", "FREQ=WEEKLY;INTERVAL=2"),
            ("every monday", "FREQ=WEEKLY;BYDAY=MO"), ("on mondays", "FREQ=WEEKLY;BYDAY=MO"),
            ("every mon and thu", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("mondays and thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every other tue", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
            ("every 3 weeks on fri", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR"),
            ("every 3 weeks fri", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR"),
            ("twice a week on mon and thu", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("every month on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("every first friday", "FREQ=MONTHLY;BYDAY=1FR"),
            ("monthly first friday", "FREQ=MONTHLY;BYDAY=1FR"),
            ("once a month on the first friday", "FREQ=MONTHLY;BYDAY=1FR"),
            ("every last friday of the month", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("the last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("every last workday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
            ("every 6/30", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=30"),
            ("yearly on june 30", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=30"),
            ("every half year", "FREQ=MONTHLY;INTERVAL=6"),
        ],
        times: [
            ("", ""), ("at 7", ";BYHOUR=7;BYMINUTE=0"), ("at 6pm", ";BYHOUR=18;BYMINUTE=0"),
            ("6:30pm", ";BYHOUR=18;BYMINUTE=30"), ("at 8 and 20", ";BYHOUR=8,20;BYMINUTE=0"),
            ("in the morning", ";BYHOUR=9;BYMINUTE=0"),
            ("in the evening at 7", ";BYHOUR=19;BYMINUTE=0"), ("at noon", ";BYHOUR=12;BYMINUTE=0"),
            ("18-19:30", ""), ("from 18:00 to 19:30", ""),
        ],
        ends: [
            ("", ""), ("until july", ";UNTIL=20270701"), ("until 1 july 2027", ";UNTIL=20270701"),
            ("for 5 times", ";COUNT=5"), ("starting jan 4", ""),
            ("from jan 4 to jul 2", ";UNTIL=20270702"),
            ("from jan 4 until jul 2", ";UNTIL=20270702"),
        ],
        titles: ["gym", "call Ana", "pay the rent", "water plants (inside)"]
    )

    private static let german = Words(
        heads: [
            ("jeden Tag", "FREQ=DAILY"), ("alle 3 Tage", "FREQ=DAILY;INTERVAL=3"),
            ("jede Woche", "FREQ=WEEKLY"), ("einmal pro Woche", "FREQ=WEEKLY"),
            ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2"),
            ("jeden Montag", "FREQ=WEEKLY;BYDAY=MO"), ("montags", "FREQ=WEEKLY;BYDAY=MO"),
            ("jeden Montag und Donnerstag", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("alle 3 Wochen am Freitag", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR"),
            ("zweimal pro Woche am Mo und Do", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("jeden 15.", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("jeden letzten Freitag", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("jeden 30.6.", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=30"),
            ("jährlich am 30.6.", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=30"),
        ],
        times: [
            ("", ""), ("um 7 Uhr", ";BYHOUR=7;BYMINUTE=0"), ("um 18:30", ";BYHOUR=18;BYMINUTE=30"),
            ("um 8 und 20 Uhr", ";BYHOUR=8,20;BYMINUTE=0"),
            ("abends um 7", ";BYHOUR=19;BYMINUTE=0"),
            ("18-19:30", ""), ("von 18:00 bis 19:30", ""),
        ],
        ends: [
            ("", ""), ("bis Juli", ";UNTIL=20270701"), ("bis zum 1. Juli 2027", ";UNTIL=20270701"),
            ("ab 4.1.", ""), ("vom 4.1. bis 2.7.", ";UNTIL=20270702"),
        ],
        titles: ["Sport", "Miete zahlen", "Ana anrufen"]
    )

    @Test(arguments: [Language.english, .german], [1, 2])
    func itsPartsMeanOneRuleInAnyOrder(language: Language, seed: UInt64) throws {
        let words = language == .german ? Self.german : Self.english
        var random = SeededRandom(seed: seed)
        let reading = Reading(settings: TimeSettings(language: language))
        for _ in 0..<SeededRandom.rounds(200, long: 600) {
            let head = try #require(words.heads.randomElement(using: &random))
            let time = try #require(words.times.randomElement(using: &random))
            let end = try #require(words.ends.randomElement(using: &random))
            let title = try #require(words.titles.randomElement(using: &random))
            let rest = [time.words, end.words].filter { !$0.isEmpty }
            let isTimeFirst = Bool.random(using: &random)
            let phrase = ([head.words] + (isTimeFirst ? rest : rest.reversed()))
                .joined(separator: " ")
            // What stands at the beginning needs a word that says so.
            let isFirst =
                ["every", "once", "twice"].contains { phrase.hasPrefix($0) }
                && Bool.random(using: &random)
            let text = isFirst ? "\(phrase) \(title)" : "\(title) \(phrase)"
            let read = reading.title(text)
            let rule = try RecurrenceRule(head.rule + time.rule + end.rule)
            #expect(read.repetition?.rule == rule, "\(text): \(read.problems)")
            #expect(reading.rest(text) == title, "\(text)")
            #expect(read.due != nil && read.problems.isEmpty, "\(text): \(read.problems)")
        }
    }

    @Test func orderOfTwoNumbersIsToldOnlyWhereTheyAreADate() {
        let reading = Reading()
        #expect(reading.title("Report every 3/4").problems.count == 1)
        #expect(reading.title("Tea every 1/2 hour").problems.isEmpty)
    }

    @Test func hoursOfARepetitionThatNeverHappensStayWithIt() {
        let read = Reading().title("Gym every 15th 18:00-19:30 until december")
        #expect(read.repetition == nil && read.due == nil)
        #expect(read.problems.count == 1)
    }
}
