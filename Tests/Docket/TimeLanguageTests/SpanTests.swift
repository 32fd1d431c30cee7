import CivilTime
import Testing
import TimeLanguage

/// What a time covers where a stretch is asked for; Tue 24 Nov 2026, 10:00.
@Suite struct SpanTests {
    @Test(arguments: [
        ("today", "2026-11-24"), ("fri", "2026-11-27"), ("last fri", "2026-11-20"),
        ("this week", "2026-11-23…2026-11-29"), ("next week", "2026-11-30…2026-12-06"),
        ("last week", "2026-11-16…2026-11-22"), ("friday next week", "2026-12-04"),
        ("weekend", "2026-11-28…2026-11-29"), ("next weekend", "2026-12-05…2026-12-06"),
        ("this month", "2026-11-01…2026-11-30"), ("next quarter", "2027-01-01…2027-03-31"),
        ("last year", "2025-01-01…2025-12-31"), ("november", "2026-11-01…2026-11-30"),
        ("october", "2027-10-01…2027-10-31"), ("october 2024", "2024-10-01…2024-10-31"),
        ("last october", "2026-10-01…2026-10-31"), ("5 october", "2027-10-05"),
        ("week 49", "2026-11-30…2026-12-06"),
        ("week 49 2027", "2027-12-06…2027-12-12"), ("Q1 2027", "2027-01-01…2027-03-31"),
        ("third quarter of 2027", "2027-07-01…2027-09-30"), ("eom", "2026-11-30"),
        ("end of next month", "2026-12-31"), ("2 weeks before christmas", "2026-12-11"),
        ("fri 14:00", "2026-11-27T14:00"), ("the week of december 16th", "2026-12-14…2026-12-20"),
        ("whenever", "?"), ("31 feb", "?"),
    ])
    func aTimeCoversAllThatItNames(_ text: String, _ wanted: String) {
        #expect(Reading().span(text, looksBack: false) == wanted)
    }

    @Test(arguments: [
        ("fri", "2026-11-20"), ("tue", "2026-11-24"), ("wednesday", "2026-11-18"),
        ("december", "2025-12-01…2025-12-31"), ("november", "2026-11-01…2026-11-30"),
        ("5 dec", "2025-12-05"), ("5 nov", "2026-11-05"), ("the 25th", "2026-10-25"),
        ("31st", "2026-10-31"), ("12/24", "2025-12-24"), ("week 49", "2025-12-01…2025-12-07"),
        ("week 40", "2026-09-28…2026-10-04"), ("q4", "2026-10-01…2026-12-31"),
        ("last week", "2026-11-16…2026-11-22"), ("tomorrow", "2026-11-25"),
        ("next week", "2026-11-30…2026-12-06"),
        ("yesterday 9:00", "2026-11-23T09:00"),
    ])
    func aNameLeadsIntoThePastWhereDatesArePast(_ text: String, _ wanted: String) {
        #expect(Reading().span(text, looksBack: true) == wanted)
    }

    @Test(arguments: [
        ("nächste Woche", "2026-11-30…2026-12-06"), ("KW 49", "2026-11-30…2026-12-06"),
        ("Dezember", "2026-12-01…2026-12-31"), ("heute", "2026-11-24"),
    ])
    func anotherLanguageCoversTheSame(_ text: String, _ wanted: String) {
        let german = Reading(settings: TimeSettings(language: .german))
        #expect(german.span(text, looksBack: false) == wanted)
    }
}
