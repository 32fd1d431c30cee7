import CivilTime
import FoundationEssentials
import Recurrence
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

    /// Lines of lists in which numbers, names and versions are no times.
    @Test(arguments: Language.allCases)
    func nothingIsTakenFromLinesWithoutATime(language: Language) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Expected/innocent.\(language.rawValue).txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 60)
        let reading = Reading(settings: TimeSettings(language: language))
        for line in lines {
            #expect(reading.title(String(line)).spans.allSatisfy { $0.kind == .problem }, "\(line)")
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

    /// What is said of an end is sought from the start on, not from now on.
    @Test(arguments: [
        ("I'm away from the 4th until the 22nd", "2016-12-04", "2016-12-22"),
        ("Course starting the 28th until the 3rd", "2016-11-28", "2016-12-03"),
        ("tomorrow from noon until two", "2016-11-08T12:00", "2016-11-08T14:00"),
        ("Tomorrow guard duty starting noon until 2", "2016-11-08T12:00", "2016-11-08T14:00"),
        ("Fair from friday until the 3rd", "2016-11-11", "2016-12-03"),
        ("starting friday run every day", "2016-11-11", ""),
    ])
    func endIsSoughtAfterTheStart(text: String, start: String, due: String) {
        let reading = Reading(now: "2016-11-07T10:00")
        let read = reading.title(text)
        #expect(reading.plain(read.start) == start)
        #expect(reading.plain(read.due) == due)
    }

    @Test(arguments: [
        ("Fix bug today 2h", "2026-11-24", 120, "Fix bug"),
        ("call mom tomorrow 30 min", "2026-11-25", 30, "call mom"),
        ("gym every monday 1h", "2026-11-30", 60, "gym"),
        ("gym every monday 8h", "2026-11-30", 480, "gym"),
        ("Call fri 9:00 1h", "2026-11-27T09:00", 60, "Call"),
        ("Do it dec 5 20 min", "2026-12-05", 20, "Do it"),
        ("Do it friday 10 min", "2026-11-27", 10, "Do it"),
        ("Meeting 3pm est 2h", "2026-11-24T15:00", 120, "Meeting"),
        ("Write ~45m", "", 45, "Write"), ("Write 1h", "", 60, "Write"),
        ("Write est. 2h", "", 120, "Write"),
        ("yoga 90min weekly", "2026-11-24", 90, "yoga"),
    ])
    func aLengthBesideADateIsTheEstimate(text: String, due: String, minutes: Int, rest: String) {
        let reading = Reading()
        #expect(reading.due(text) == due)
        #expect(reading.title(text).estimate == minutes)
        #expect(reading.rest(text) == rest)
    }

    @Test(arguments: [
        "Sleep 8 hours", "Boil eggs 7 minutes", "3 x 20 min squats", "Buy 2h parking ticket",
        "take pill 2 hours after lunch", "Swim 50m",
    ])
    func aLengthThatIsPartOfTheTitleStays(text: String) {
        #expect(Reading().title(text).spans.isEmpty)
    }

    @Test(arguments: [
        ("Remind me tomorrow at 9:00 to call", "Remind me to call"),
        ("Remind me at 5pm to call", "Remind me to call"), ("Shop open 9am to close", nil),
        ("Dentist in 2 h", "Dentist"), ("Buy 2 h of parking", nil), ("Put 2 h in plan", nil),
        ("Renew 2027-03-01 remind me 2 h before", "Renew"),
        ("Renew 2027-03-01 remind me 30m before", "Renew"),
    ])
    func whatIsSaidToAReminderAndInHoursIsATime(title: String, rest: String?) {
        let reading = Reading()
        #expect(reading.rest(title) == rest ?? title)
        #expect((reading.title(title).due == nil) == (rest == nil))
    }

    @Test func aReminderBeforeADueDateIsUnderstoodElsePointedOut() {
        let reading = Reading()
        let read = reading.title("Renew passport 2027-03-01 remind me 1 week before")
        #expect(read.reminder == 7 * 1440 && reading.plain(read.due) == "2027-03-01")
        let text = "Renew passport remind 1 week before"
        #expect(reading.title(text).reminder == nil && reading.rest(text) == text)
        #expect(
            reading.title(text).problems
                == ["“remind 1 week before” needs a due date; it stays in the title."]
        )
        #expect(reading.title("Remind Tom of it").spans.isEmpty)
    }

    @Test(arguments: [
        ("Pay 31 jan every month", "2027-01-31", "2027-02-28 2027-03-31 2027-04-30"),
        ("Pay every month on the 31st", "2026-11-30", "2026-12-31 2027-01-31 2027-02-28"),
        ("Pay every month on the 15th and 31st", "2026-11-30", "2026-12-15 2026-12-31 2027-01-15"),
        (
            "Pay on the 30th and 31st of every month", "2026-11-30",
            "2026-12-30 2026-12-31 2027-01-30 2027-01-31 2027-02-28 2027-03-30"
        ),
        (
            "Pay every month on the 10th, 29th and 30th", "2026-11-29",
            "2026-11-30 2026-12-10 2026-12-29 2026-12-30 2027-01-10 2027-01-29 2027-01-30 "
                + "2027-02-10 2027-02-28"
        ),
        (
            "Pay every month on the 30th and 31st if it exists", "2026-11-30",
            "2026-12-30 2026-12-31 2027-01-30 2027-01-31 2027-03-30"
        ),
        ("Pay on 29 february every year", "2027-02-28", "2028-02-29 2029-02-28 2030-02-28"),
        ("Pay 30 nov every quarter", "2026-11-30", "2027-02-28 2027-05-30 2027-08-30"),
        (
            "Pay every month on the 31st if it exists", "2026-12-31",
            "2027-01-31 2027-03-31 2027-05-31"
        ),
    ])
    func aDayThatAMonthDoesNotHaveIsItsLastOne(text: String, due: String, next: String) throws {
        let reading = Reading()
        let read = reading.title(text)
        #expect(reading.plain(read.due) == due)
        let first = try #require(read.due)
        let zone = DateContext(now: first.date, zone: .utc)
        let repetition = try #require(read.repetition)
        let count = next.split(separator: " ").count
        let dates = repetition.dueDates(after: first, count: count, in: zone)
        #expect(dates.map { reading.plain($0) }.joined(separator: " ") == next)
        // Its words, and its text as RFC 5545 has it, give the same rule again.
        #expect(reading.title(repetition.words(.english)).repetition == repetition)
        #expect(try RecurrenceRule(repetition.rule.description) == repetition.rule)
    }

    @Test(arguments: [
        ("Water plants from friday every week", "2026-11-27"),
        ("Water plants from friday every monday", "2026-11-30"),
    ])
    func aStartWithARepetitionRepeatsAndNothingIsDue(text: String, start: String) {
        let reading = Reading()
        #expect(reading.title(text).due == nil)
        #expect(reading.plain(reading.title(text).start) == start)
    }

    @Test func furtherDayLeavesTheWholeRangeInTheTitle() {
        let text = "I'm away from the 4th until the 22nd and 25th"
        let reading = Reading(now: "2016-11-07T10:00")
        #expect(reading.title(text).start == nil && reading.title(text).due == nil)
        #expect(reading.rest(text) == text)
    }

    @Test(arguments: [
        "Drop kids at 8, pick up at 3", "Call Bob at 9 and Ana at 10", "Lessons dec 3, dec 10",
    ])
    func datesOfTwoPartsOfASentenceStayAndAreTold(text: String) {
        let read = Reading().title(text)
        #expect(read.due == nil)
        #expect(Reading().rest(text) == text)
        #expect(read.problems.contains { $0.contains("second date") }, "\(read.problems)")
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
