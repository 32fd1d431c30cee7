import CivilTime
import FoundationEssentials
import Testing
import TimeLanguage

@Suite struct TitleTests {
    @Test func innocentTitlesStayText() {
        #expect(InnocentTitles.all.count >= 200)
        for title in InnocentTitles.all {
            let read = Reading().title(title)
            #expect(read.due == nil && read.start == nil && read.estimate == nil, "\(title)")
        }
    }

    @Test(arguments: [
        ("Call Ana friday about the bill", "2026-11-27", "Call Ana about the bill"),
        ("Call the dentist day after tomorrow 9:15", "2026-11-26T09:15", "Call the dentist"),
        ("Buy milk tomorrow morning for Ana", "2026-11-25T09:00", "Buy milk for Ana"),
        ("Send report by next friday 5pm", "2026-12-04T17:00", "Send report"),
        ("Meet at 5", "2026-11-24T17:00", "Meet"),
        ("lunch with Bob tomorrow at noon", "2026-11-25T12:00", "lunch with Bob"),
        ("Submit 2 weeks before christmas", "2026-12-11", "Submit"),
        ("3rd tuesday of september 2027 review", "2027-09-21", "review"),
        ("Gym mon 13th", "2027-09-13", "Gym"),
        ("Dinner 8 in the evening", "2026-11-24T20:00", "Dinner"),
        ("Rent due 24th", "2026-11-24", "Rent"), ("Train 17h30", "2026-11-24T17:30", "Train"),
        ("Pay on 20270718", "2027-07-18", "Pay"), ("Tomorrow: call", "2026-11-25", ": call"),
        ("Call Ana sun", "2026-11-29", "Call Ana"),
        ("Read report today", "2026-11-24", "Read report"),
        ("Read chapter 5 by monday", "2026-11-30", "Read chapter 5"),
        ("Watch the match on saturday at 8pm", "2026-11-28T20:00", "Watch the match"),
        ("Clean garage this week", "2026-11-29", "Clean garage"),
        ("Order cake for saturday", "2026-11-28", "Order cake"),
        ("Pick up kids at 3:30", "2026-11-24T15:30", "Pick up kids"),
        ("Tomorrow lunch with Bob at 12", "2026-11-25T12:00", "lunch with Bob"),
        ("What did I do last monday", "2026-11-23", "What did I do"),
        ("I bought it for $12 December 27", "2026-12-27", "I bought it for $12"),
        ("Finish by 5", "2026-11-24T17:00", "Finish"),
        ("Stand up at 9:30 every weekday", "2026-11-25T09:30", "Stand up"),
        ("Stand up at 10:30 every weekday", "2026-11-24T10:30", "Stand up"),
        ("Meet in 1h30m", "2026-11-24T11:30", "Meet"),
        ("Deliver slides week 49", "2026-11-30", "Deliver slides"),
        ("Passport expires dec 2026", "2026-12-01", "Passport expires"),
    ])
    func dateIsTakenWhole(text: String, due: String, rest: String) {
        #expect(Reading().due(text) == due)
        #expect(Reading().rest(text) == rest)
    }

    @Test(arguments: [
        ("Workshop fri 14-16", "2026-11-27T14:00", "2026-11-27T16:00"),
        ("fri 14-16 workshop", "2026-11-27T14:00", "2026-11-27T16:00"),
        ("Meeting from 9 to 11 tomorrow", "2026-11-25T09:00", "2026-11-25T11:00"),
        ("Meeting friday to sunday", "2026-11-27", "2026-11-29"),
        ("Vacation 3-5 dec", "2026-12-03", "2026-12-05"),
        ("Vacation from mon to wed", "2026-11-30", "2026-12-02"),
        ("Conference 10 dec - 12 dec", "2026-12-10", "2026-12-12"),
        ("Shift friday 9am-5pm", "2026-11-27T09:00", "2026-11-27T17:00"),
        ("Shift friday 10-2", "2026-11-27T10:00", "2026-11-27T14:00"),
        ("Trip 23rd to 26th dec", "2026-12-23", "2026-12-26"),
        ("Trip from the 13th to 15th of July", "2027-07-13", "2027-07-15"),
        ("the 3rd to the 5th of december", "2026-12-03", "2026-12-05"),
        ("Trip 10 August - 12 September 2028", "2028-08-10", "2028-09-12"),
        ("Trip 20 Dec - 5 Jan 2028", "2027-12-20", "2028-01-05"),
        ("Workshop 9 to 5 tomorrow", "2026-11-25T09:00", "2026-11-25T17:00"),
        ("Workshop 9-5 on friday", "2026-11-27T09:00", "2026-11-27T17:00"),
        ("Hotel for 10 days from 18th Dec", "2026-12-18", "2026-12-27"),
        ("Hotel from 18 Dec for 2 weeks", "2026-12-18", "2026-12-31"),
        ("Rent a car friday for 3 days", "2026-11-27", "2026-11-29"),
        ("Trip 5 - 7 May at 10:00", "2027-05-05T10:00", "2027-05-07T10:00"),
    ])
    func rangeHasStartAndEnd(text: String, start: String, end: String) {
        let reading = Reading()
        let read = reading.title(text)
        #expect(reading.plain(read.start) == start)
        #expect(reading.plain(read.end) == end)
        #expect(read.due == read.end)
    }

    @Test func startAndDueAreTwoMarks() {
        let reading = Reading()
        let read = reading.title("Paint from friday by 30 nov")
        #expect(reading.plain(read.start) == "2026-11-27")
        #expect(reading.plain(read.due) == "2026-11-30")
        #expect(read.spans.map(\.kind) == [.start, .due])
    }

    @Test(arguments: [
        ("Write for 45 min", 45), ("Write tomorrow for 2 hours", 120), ("Write for 1h30", 90),
        ("Write for half an hour", 30), ("Write for 90m", 90), ("Write for an hour and a half", 90),
    ])
    func durationIsTheEstimate(text: String, minutes: Int) {
        #expect(Reading().title(text).estimate == minutes)
    }

    @Test(arguments: [
        "Call friday after the meeting", "Submit before april 15", "Call today tomorrow",
        "Tune in tomorrow, 12/24/2026", "Buy milk tomorrow or friday",
        "Call at 9:00 or 10:00",
        "Meet second friday", "Bring gifts friday of the party",
    ])
    func halfUnderstoodStaysInTheTitle(text: String) {
        let read = Reading().title(text)
        #expect(read.due == nil, "\(text)")
        #expect(Reading().rest(text) == text)
        #expect(!read.problems.isEmpty)
    }

    @Test(arguments: [
        ("Prepare slides 31 apr", "April has 30 days"), ("Meet 25:00", "a clock goes"),
        ("Pay 2026-02-30", "February 2026 has 28 days"),
    ])
    func impossibleDateIsNamed(text: String, why: String) {
        let read = Reading().title(text)
        #expect(read.due == nil)
        #expect(read.problems.count == 1 && read.problems[0].contains(why), "\(read.problems)")
        #expect(read.spans.map(\.kind) == [.problem])
    }

    @Test func barrierIsNoPartOfADate() {
        let recogniser = Recogniser(context: DateContext(now: .distantPast, zone: .utc))
        let bytes = Array("call #monday".utf8)
        #expect(recogniser.title(bytes, barriers: [5..<12]).due == nil)
        #expect(recogniser.title(Array("call monday #x".utf8), barriers: [12..<14]).due != nil)
    }
}
