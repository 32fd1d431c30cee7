import CivilTime
import Testing
import TimeLanguage

@Suite struct PhraseTests {
    @Test func englishPhrasesMeanTheirDates() {
        let reading = Reading()
        let pairs = Phrases.pairs(Phrases.english)
        #expect(pairs.count >= 300)
        for pair in pairs { #expect(reading.due(pair.text) == pair.due, "\(pair.text)") }
    }

    @Test func germanPhrasesMeanTheirDates() {
        let reading = Reading(settings: TimeSettings(language: .german))
        let pairs = Phrases.pairs(Phrases.german)
        #expect(pairs.count >= 60)
        for pair in pairs { #expect(reading.due(pair.text) == pair.due, "\(pair.text)") }
    }

    /// A date in a field means the same as alone in a title.
    @Test func fieldReadsWhatTheTitleReads() {
        let reading = Reading()
        for pair in Phrases.pairs(Phrases.english) {
            #expect(reading.field(pair.text) == pair.due, "\(pair.text)")
        }
    }

    @Test(arguments: [
        ("3d", "2026-11-27"), ("+2w", "2026-12-08"), ("-3d", "2026-11-21"),
        ("2 weeks", "2026-12-08"),
        ("december", "2026-12-01"), ("1y", "2027-11-24"), ("+30min", "2026-11-24T10:30"),
        ("now", "2026-11-24T10:00"), ("22.12", "2026-12-22"), ("5/6", "2027-05-06"),
    ])
    func fieldReadsShortForms(text: String, due: String) {
        #expect(Reading().field(text) == due)
    }

    @Test(arguments: [
        ("31 apr", "31 apr: April has 30 days"),
        ("25:00", "25:00: a clock goes from 0:00 to 23:59"),
        ("2026-02-30", "2026-02-30: February 2026 has 28 days"),
        ("13pm", "13pm: with am or pm the hour goes from 1 to 12"),
        ("32nd", "32nd: no month has 32 days"),
        ("+99999y", "+99999y: years go from 1 to 9999"),
        ("tue 25 dec 2026", "tue 25 dec 2026: 25 Dec 2026 is a Fri, not a Tue"),
    ])
    func impossibleFieldSaysWhy(text: String, why: String) {
        #expect(Reading().field(text) == why)
    }

    @Test(arguments: [
        "", " ", "soon", "next", "in", "at", "in 3", "22 smarch", "tomorrow tomorrow", "9",
        "tomorrow and on", "3 bananas", "1.2.3.4", "end of", "fri?", "+", "🦆", "after friday",
        "99999999999999999999d", "the", "second", "quarter", "of may",
    ])
    func otherTextIsNoDate(text: String) {
        #expect(Reading().field(text) == "?")
    }

    @Test func orderOfTwoNumbersIsASetting() {
        let german = Reading(settings: TimeSettings(dateOrder: .dayFirst))
        #expect(Reading().due("03/04") == "2027-03-04")
        #expect(german.due("03/04") == "2027-04-03")
        #expect(german.due("12/24") == "2026-12-24")
        let told = Reading().title("03/04").problems
        #expect(told.count == 1)
        #expect(told[0].contains("write 2027-03-04 or 2027-04-03"), "\(told)")
        #expect(Reading().title("25/12").problems.isEmpty)
    }

    @Test func weekBeginsAsTheSettingSays() {
        let sunday = Reading(weekStart: .sunday)
        #expect(sunday.due("next week") == "2026-11-29")
        #expect(sunday.due("end of the week") == "2026-11-28")
    }

    @Test func weekdayAndDateThatContradictAreNamed() {
        let read = Reading().title("Call Ana fri 28 dec")
        #expect(read.due == nil)
        #expect(
            read.problems == ["“fri 28 dec” stays in the title: 28 Dec 2026 is a Mon, not a Fri."]
        )
    }

    @Test func secondsAreKeptInAFieldAndDroppedInATitle() {
        #expect(Reading().field("3:30:15 pm") == "2026-11-24T15:30:15")
        #expect(Reading().due("3:30:15 pm") == "2026-11-24T15:30")
    }

    @Test func nightGoesOnAfterMidnight() {
        #expect(Reading().field("tonight at 2") == "2026-11-25T02:00")
        #expect(Reading(now: "2026-11-24T00:10").due("tonight at 2") == "2026-11-24T02:00")
        #expect(Reading().due("tonight at 12") == "2026-11-25T00:00")
    }

    /// What may be one of two is read in a field, where nothing else is meant; in a title it stays.
    @Test(arguments: [
        ("tonight at 2", "2026-11-25T02:00"), ("one year after christmas", "2027-12-25"),
        ("in one year from christmas", "2027-12-25"),
    ])
    func phraseOfTwoMeaningsStaysInATitle(text: String, due: String) {
        #expect(Reading().field(text) == due)
        let read = Reading().title("Call Ana \(text)")
        #expect(read.due == nil && read.problems.count == 1, "\(read)")
    }
}
