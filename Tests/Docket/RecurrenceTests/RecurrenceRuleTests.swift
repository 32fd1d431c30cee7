import CivilTime
import RandomRules
import SeededRandom
import Testing

@testable import Recurrence

@Suite struct RecurrenceRuleTests {
    @Test func aWrittenRuleIsReadAsTheSame() throws {
        var random = SeededRandom()
        for _ in 0..<2000 {
            let rule = RandomRule.next(&random).rule
            let again = try RecurrenceRule(rule.description)
            guard again == rule, again.description == rule.description else {
                Issue.record("\(rule) is read as \(again)")
                return
            }
        }
    }

    @Test(
        arguments: [
            ("FREQ=WEEKLY", "FREQ=WEEKLY"),
            ("RRULE:freq=weekly;byday=we,MO,mo;interval=1;wkst=mo", "FREQ=WEEKLY;BYDAY=MO,WE"),
            (" FREQ = MONTHLY ; BYMONTHDAY = -1, 15 ,1 ", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
            ("BYDAY=-1FR,+2TH,MO;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=MO,2TH,-1FR"),
            ("FREQ=DAILY;UNTIL=2026-12-24T09:00", "FREQ=DAILY;UNTIL=20261224T090000"),
            ("FREQ=DAILY;UNTIL=20261224T090000Z", "FREQ=DAILY;UNTIL=20261224T090000Z"),
            ("FREQ=DAILY;UNTIL=20261224;", "FREQ=DAILY;UNTIL=20261224"),
            ("FREQ=HOURLY;COUNT=3;WKST=SU", "FREQ=HOURLY;COUNT=3;WKST=SU"),
        ]
    )
    func aTextIsWrittenInOneForm(text: String, written: String) throws {
        #expect(try RecurrenceRule(text).description == written)
    }

    @Test(
        arguments: [
            ("", "A rule needs a frequency, such as FREQ=WEEKLY."),
            ("INTERVAL=2", "A rule needs a frequency, such as FREQ=WEEKLY."),
            (
                "FREQ=FORTNIGHTLY",
                "FREQ=FORTNIGHTLY is not a frequency; use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY "
                    + "or MINUTELY."
            ),
            (
                "every week",
                "\"every week\" is not a part of a rule; a part looks like FREQ=WEEKLY."
            ),
            ("FREQ=DAILY;COUNT=0", "COUNT=0 is not possible: a count goes from 1 to 1000000000."),
            (
                "FREQ=DAILY;INTERVAL=0",
                "INTERVAL=0 is not possible: an interval goes from 1 to 1000000."
            ),
            ("FREQ=DAILY;INTERVAL=two", "\"two\" in INTERVAL is not a number."),
            ("FREQ=DAILY;FREQ=WEEKLY", "FREQ is given twice; a rule has each part once."),
            (
                "FREQ=DAILY;COUNT=2;UNTIL=20261224",
                "A rule ends by COUNT or by UNTIL; it cannot have both."
            ),
            (
                "FREQ=DAILY;UNTIL=20260230",
                "\"20260230\" in UNTIL does not exist: February 2026 has 28 days."
            ),
            (
                "FREQ=DAILY;UNTIL=soon",
                "\"soon\" in UNTIL is not a date; write it like 20261224 or 20261224T090000."
            ),
            (
                "FREQ=YEARLY;BYMONTH=13",
                "13 in BYMONTH is not possible: its numbers go from 1 to 12."
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=0",
                "0 in BYMONTHDAY is not possible: its numbers go from 1 to 31 or from -31 to -1."
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=1,,2",
                "BYMONTHDAY=1,,2 has an empty place; write values with a comma between."
            ),
            (
                "FREQ=WEEKLY;BYDAY=XX",
                "\"XX\" is not a day of the week; use MO, TU, WE, TH, FR, SA or SU."
            ),
            (
                "FREQ=WEEKLY;BYDAY=1MO",
                "1MO in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY; FREQ=WEEKLY takes days without a "
                    + "number."
            ),
            (
                "FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO",
                "1MO in BYDAY cannot stand beside BYWEEKNO; use a day without a number."
            ),
            (
                "FREQ=MONTHLY;BYWEEKNO=20",
                "BYWEEKNO needs FREQ=YEARLY; it cannot stand beside FREQ=MONTHLY."
            ),
            (
                "FREQ=DAILY;BYYEARDAY=20",
                "BYYEARDAY needs FREQ=YEARLY; it cannot stand beside FREQ=DAILY."
            ),
            (
                "FREQ=WEEKLY;BYMONTHDAY=20",
                "BYMONTHDAY cannot stand beside FREQ=WEEKLY; use FREQ=MONTHLY."
            ),
            (
                "FREQ=MONTHLY;BYSETPOS=1",
                "BYSETPOS selects from what another part gives; add one, such as BYDAY."
            ),
            (
                "FREQ=MONTHLY;BYEASTER=1",
                "\"BYEASTER\" is not a part of a rule; the parts are FREQ, INTERVAL, COUNT, UNTIL, "
                    + "BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSECOND, "
                    + "BYSETPOS, WKST."
            ),
        ]
    )
    func aTextThatIsNotARuleGetsASentence(text: String, sentence: String) {
        #expect(throws: RecurrenceError(sentence)) { try RecurrenceRule(text) }
    }
}
