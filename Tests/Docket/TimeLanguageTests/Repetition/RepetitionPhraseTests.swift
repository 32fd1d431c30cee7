import CivilTime
import FixedTime
import Recurrence
import Testing

@testable import TimeLanguage

/// What people type, and the rule that it means; today is Saturday, 21 November 2026.
@Suite struct RepetitionPhraseTests {
    @Test(
        arguments: [
            ("every day", "FREQ=DAILY"), ("daily", "FREQ=DAILY"),
            ("every 3 days", "FREQ=DAILY;INTERVAL=3"),
            ("every three days", "FREQ=DAILY;INTERVAL=3"), ("every 3d", "FREQ=DAILY;INTERVAL=3"),
            ("every other day", "FREQ=DAILY;INTERVAL=2"),
            ("every 2nd day", "FREQ=DAILY;INTERVAL=2"),
            ("every second day", "FREQ=DAILY;INTERVAL=2"), ("every second", "FREQ=SECONDLY"),
            ("each day", "FREQ=DAILY"), ("every week", "FREQ=WEEKLY"), ("weekly", "FREQ=WEEKLY"),
            ("fortnightly", "FREQ=WEEKLY;INTERVAL=2"),
            ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"),
            ("every month", "FREQ=MONTHLY"), ("every quarter", "FREQ=MONTHLY;INTERVAL=3"),
            ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("yearly", "FREQ=YEARLY"),
            ("every year", "FREQ=YEARLY"), ("every 3rd year", "FREQ=YEARLY;INTERVAL=3"),
            ("every 2 hours", "FREQ=HOURLY;INTERVAL=2"),
            ("every 20 min", "FREQ=MINUTELY;INTERVAL=20"),
            ("every decade", "FREQ=YEARLY;INTERVAL=10"),

            ("every monday", "FREQ=WEEKLY;BYDAY=MO"), ("every Mon", "FREQ=WEEKLY;BYDAY=MO"),
            ("every mon, wed and fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
            ("every mon/thu", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("every mon-fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every friday to monday", "FREQ=WEEKLY;BYDAY=MO,FR,SA,SU"),
            ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every workday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every business day", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every weekend", "FREQ=WEEKLY;BYDAY=SA"),
            ("every other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
            ("every 2 weeks on mon and wed", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE"),
            ("every other week on friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
            ("weekly on tuesday", "FREQ=WEEKLY;BYDAY=TU"),

            ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("every the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("every 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
            ("every 1st of the month", "FREQ=MONTHLY;BYMONTHDAY=1"),
            ("every 1st day of the month", "FREQ=MONTHLY;BYMONTHDAY=1"),
            ("every last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1"),
            ("every month on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
            ("every month on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("monthly on the 1st", "FREQ=MONTHLY;BYMONTHDAY=1"),
            ("every month on the second to last day", "FREQ=MONTHLY;BYMONTHDAY=-2"),
            ("every last friday", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("every first monday of the month", "FREQ=MONTHLY;BYDAY=1MO"),
            ("every 2nd and 4th thursday", "FREQ=MONTHLY;BYDAY=2TH,4TH"),
            ("every month on the third wednesday", "FREQ=MONTHLY;BYDAY=3WE"),
            ("every 3 months on the 2nd last friday", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-2FR"),
            ("every friday the 13th", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
            ("every last friday of march", "FREQ=MONTHLY;BYMONTH=3;BYDAY=-1FR"),

            ("every year on 24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            ("every 24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            ("every dec 24th", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            ("every year on the 24th of december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            ("every 29 feb", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
            ("every 29 feb if it exists", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"),
            ("every year on days 1, 100 and 200", "FREQ=YEARLY;BYYEARDAY=1,100,200"),
            ("every 3rd year on days 1, 100 and 200", "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200"),
            ("every year in week 20 on monday", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
            ("every year on the last day of the year", "FREQ=YEARLY;BYYEARDAY=-1"),

            ("daily at 9", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
            ("every day at 9:30 and 17:30", "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30"),
            ("every day at 5", "FREQ=DAILY;BYHOUR=17;BYMINUTE=0"),
            ("every monday 9am", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"),
            ("every monday at noon", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=12;BYMINUTE=0"),
            ("every morning", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
            ("every day in the evening", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"),

            ("every 6 months for 5 times", "FREQ=MONTHLY;INTERVAL=6;COUNT=5"),
            ("every day, 5 times", "FREQ=DAILY;COUNT=5"),
            ("every day until 2026-12-24", "FREQ=DAILY;UNTIL=20261224"),
            ("every day until 24 dec", "FREQ=DAILY;UNTIL=20261224"),
            (
                "every 2 weeks on mon and wed until march",
                "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270301;BYDAY=MO,WE"
            ),
        ]
    )
    func wordsMeanARule(text: String, rule: String) throws {
        let repetition = try Recogniser(context: Fixed.context).repetition(text)
        #expect(repetition == Repetition(try RecurrenceRule(rule)))
    }

    @Test(
        arguments: [
            ("every march", "FREQ=YEARLY;BYMONTH=3", Day(year: 2027, month: 3, day: 1)),
            (
                "every january and july", "FREQ=YEARLY;BYMONTH=1,7",
                Day(year: 2027, month: 1, day: 1)
            ),
            ("every november", "FREQ=YEARLY;BYMONTH=11", nil),
        ]
    )
    func monthAloneBeginsWithTheNextOneUnlessItIsNow(
        text: String,
        rule: String,
        start: Day?
    ) throws {
        let repetition = try Recogniser(context: Fixed.context).repetition(text)
        #expect(repetition == Repetition(try RecurrenceRule(rule), start: start))
    }

    @Test(
        arguments: [
            ("jeden Tag", "FREQ=DAILY"), ("täglich", "FREQ=DAILY"),
            ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2"),
            ("alle drei Tage", "FREQ=DAILY;INTERVAL=3"), ("jeden Montag", "FREQ=WEEKLY;BYDAY=MO"),
            ("jeden Mo und Mi", "FREQ=WEEKLY;BYDAY=MO,WE"),
            ("jeden Werktag", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("jeden zweiten Dienstag", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
            ("jeden zweiten Dienstag im Monat", "FREQ=MONTHLY;BYDAY=2TU"),
            ("jeden letzten Freitag", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("jeden Monat am 15.", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("jeden 1. und 15.", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
            ("jeden Monat am letzten Tag", "FREQ=MONTHLY;BYMONTHDAY=-1"),
            ("jedes Jahr am 24. Dezember", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            ("jeden Tag um 9 Uhr", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
            ("alle 6 Monate 5 mal", "FREQ=MONTHLY;INTERVAL=6;COUNT=5"),
            ("jeden Tag bis 24.12.2026", "FREQ=DAILY;UNTIL=20261224"),
        ]
    )
    func germanWordsMeanARule(text: String, rule: String) throws {
        let settings = TimeSettings(language: .german)
        let repetition = try Recogniser(context: Fixed.context, settings: settings).repetition(text)
        #expect(repetition == Repetition(try RecurrenceRule(rule)))
    }

    @Test(arguments: ["every! 3 days", "every 3 days after completion", "every 3 days when done"])
    func completionIsWhereItCounts(text: String) throws {
        let repetition = try Recogniser(context: Fixed.context).repetition(text)
        let rule = try RecurrenceRule("FREQ=DAILY;INTERVAL=3")
        #expect(repetition == Repetition(rule, isFromCompletion: true))
        #expect(repetition.words() == "every! 3 days")
    }

    @Test(
        arguments: [
            ("every 0 days", "the number is at least 1"),
            ("every day for 0 times", "it happens at least once"),
            ("every 32nd", "a month has at most 31 days"),
            ("every 31 apr", "April has 30 days"),
            ("every year on 30 february", "February has 28 or 29 days"),
            ("every month on the 30th in february", "there is no such day"),
            (
                "every day at 9:00 and 17:30",
                "one repetition cannot have these times; use the same minute for each hour"
            ),
        ]
    )
    func whatCannotHappenIsNamed(text: String, why: String) {
        let recogniser = Recogniser(context: Fixed.context)
        #expect(throws: FieldProblem.impossible(text, why)) { try recogniser.repetition(text) }
    }

    @Test(
        arguments: [
            "", "every", "every breath you take", "every time", "every other", "monday", "every 3",
            "every day or so", "every 3 weekends", "everyday", "every man", "daily news",
        ]
    )
    func otherWordsAreNotARepetition(text: String) {
        let recogniser = Recogniser(context: Fixed.context)
        #expect(throws: FieldProblem.unknown) { try recogniser.repetition(text) }
    }

    @Test(
        arguments: [
            ("every monday", "20261123"), ("every saturday", "20261121"), ("every day", "20261121"),
            ("every 15th", "20261215"), ("every last friday", "20261127"),
            ("every monday at 9", "20261123T090000"), ("daily at 9", "20261122T090000"),
            ("daily at 15:00", "20261121T150000"), ("every 3 days starting monday", "20261123"),
            ("every 2 hours", "20261121T140500"), ("every 29 feb", "20270228"),
            ("every 2 weeks on friday", "20261127"), ("every 3 months on the 15th", "20261215"),
        ]
    )
    func theFirstTimeIsTheDueDate(text: String, first: String) throws {
        let repetition = try Recogniser(context: Fixed.context).repetition(text)
        let (day, second) = Fixed.berlin.local(Fixed.context.now)
        #expect(repetition.first(from: LocalTime(day, second: second))?.description == first)
    }

    @Test(
        arguments: [
            (
                "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200",
                "every 3 years on the 1st, 100th and 200th day of the year"
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20270301",
                "every 2 weeks on Monday and Wednesday until 1 March 2027"
            ),
            ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
            ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
            ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on 24 December"),
            (
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                "every month on weekdays only the last of these"
            ),
            ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on Friday if on the 13th"),
            ("FREQ=MONTHLY;INTERVAL=6;COUNT=5", "every 6 months for 5 times"),
            ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", "every day at 9:30 and 17:30"),
        ]
    )
    func aRuleIsShownInWords(rule: String, words: String) throws {
        #expect(Repetition(try RecurrenceRule(rule)).words() == words)
    }
}
