/// Calendars as programs write them, by the properties that each is known for.
enum ICalendarDialects {
    /// A calendar with one task that has these lines.
    static func task(_ lines: String, before: String = "") -> String {
        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//example//test//EN
            \(before)BEGIN:VTODO
            UID:one
            DTSTAMP:20260101T000000Z
            SUMMARY:One
            \(lines)
            END:VTODO
            END:VCALENDAR

            """
        return text.replacing("\n", with: "\r\n")
    }

    static let all: [String: String] = [
        "Apple Reminders": appleReminders, "Nextcloud Tasks": nextcloudTasks,
        "Thunderbird": thunderbird, "Tasks.org": tasksOrg, "journal": journal,
    ].mapValues { $0.replacing("\n", with: "\r\n") }

    /// Reminders by place have an alarm of 1976, and long parameters are folded.
    static let appleReminders = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Apple Inc.//Mac OS X 10.15.7//EN
        CALSCALE:GREGORIAN
        X-WR-CALNAME:Groceries
        X-APPLE-CALENDAR-COLOR:#FF2968
        BEGIN:VTIMEZONE
        TZID:Europe/Berlin
        BEGIN:DAYLIGHT
        TZOFFSETFROM:+0100
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        DTSTART:19810329T020000
        TZNAME:CEST
        TZOFFSETTO:+0200
        END:DAYLIGHT
        BEGIN:STANDARD
        TZOFFSETFROM:+0200
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        DTSTART:19961027T030000
        TZNAME:CET
        TZOFFSETTO:+0100
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VTODO
        CREATED:20201105T123437Z
        UID:9710D97C-49D1-4395-90DB-14EE17E0B77A
        SUMMARY:Milk\\, bread
        DUE;TZID=Europe/Berlin:20261124T180000
        DTSTART;TZID=Europe/Berlin:20261124T180000
        DTSTAMP:20201105T123513Z
        LAST-MODIFIED:20201105T123512Z
        STATUS:NEEDS-ACTION
        PRIORITY:1
        X-APPLE-SORT-ORDER:626185917
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:Reminder
        TRIGGER;VALUE=DATE-TIME:19760401T005545Z
        UID:F68410D3-C36C-434B-A6E0-625A75DAB8FC
        X-APPLE-PROXIMITY:ARRIVE
        X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Long Street 1, 12345 Smal
         l Town";X-APPLE-RADIUS=100;X-TITLE=Market:geo:46.141813\\,8.917549
        X-WR-ALARMUID:F68410D3-C36C-434B-A6E0-625A75DAB8FC
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:Reminder
        TRIGGER;VALUE=DATE-TIME:20261124T170000Z
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:A1B2C3D4-49D1-4395-90DB-14EE17E0B77B
        DTSTAMP:20201106T123513Z
        CREATED:20201106T080000Z
        LAST-MODIFIED:20201106T123513Z
        SUMMARY:Done long ago
        COMPLETED:20201106T123000Z
        STATUS:COMPLETED
        PERCENT-COMPLETE:100
        RELATED-TO;RELTYPE=PARENT:9710D97C-49D1-4395-90DB-14EE17E0B77A
        END:VTODO
        END:VCALENDAR

        """

    /// Its UIDs were short, and its times have no zone.
    static let nextcloudTasks = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Nextcloud Tasks v0.16.1
        X-WR-CALNAME:House
        BEGIN:VTODO
        CREATED:20230630T095435
        DTSTAMP:20230630T095507
        LAST-MODIFIED:20230630T095507
        UID:3o3al1t55r
        SUMMARY:Paint the fence
        DESCRIPTION:First coat\\nSecond coat
        PERCENT-COMPLETE:40
        STATUS:IN-PROCESS
        PRIORITY:4
        X-OC-HIDESUBTASKS:1
        X-PINNED:true
        CATEGORIES:outdoor,summer\\, late
        LOCATION:Garden
        DUE;VALUE=DATE:20261201
        X-OC-HIDECOMPLETEDSUBTASKS:1
        END:VTODO
        BEGIN:VTODO
        CREATED:20230630T100000
        DTSTAMP:20230630T100000
        LAST-MODIFIED:20230630T100000
        UID:20230630T100000-buy
        SUMMARY:Buy paint
        RELATED-TO;RELTYPE=PARENT:3o3al1t55r
        DUE:20261124T090000
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;RELATED=END:-P1D
        DESCRIPTION:Buy paint
        END:VALARM
        END:VTODO
        END:VCALENDAR

        """

    /// It counts generations, keeps what was acknowledged, and begins by the start.
    static let thunderbird = """
        BEGIN:VCALENDAR
        PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
        VERSION:2.0
        BEGIN:VTIMEZONE
        TZID:/mozilla.org/20050126_1/America/New_York
        X-LIC-LOCATION:America/New_York
        BEGIN:STANDARD
        TZOFFSETFROM:-0400
        TZOFFSETTO:-0500
        TZNAME:EST
        DTSTART:19701101T020000
        RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VTODO
        CREATED:20241216T164132Z
        LAST-MODIFIED:20250114T194224Z
        DTSTAMP:20250114T194224Z
        UID:c395d15b-f769-41ea-b5b3-f0d5596d9b5c
        SUMMARY:Water the plants
        PRIORITY:5
        RELATED-TO:05ebbdb5-0181-4c5e-95a9-ed68d5ed000c
        RELATED-TO;RELTYPE=SIBLING:elsewhere
        RRULE:FREQ=WEEKLY;BYDAY=TU
        EXDATE;TZID="/mozilla.org/20050126_1/America/New_York":20261201T090000
        DTSTART;TZID="/mozilla.org/20050126_1/America/New_York":20261124T090000
        DURATION:PT2H
        X-MOZ-GENERATION:2
        X-MOZ-LASTACK:20250115T210000Z
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT15M
        DESCRIPTION:Default Mozilla Description
        END:VALARM
        BEGIN:VALARM
        ACTION:EMAIL
        TRIGGER;VALUE=DURATION:-P1D
        SUMMARY:By mail
        DESCRIPTION:By mail
        ATTENDEE:mailto:somebody@example.org
        END:VALARM
        END:VTODO
        END:VCALENDAR

        """

    static let tasksOrg = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:+//IDN tasks.org//android-130802//EN
        BEGIN:VTODO
        DTSTAMP:20240210T162312Z
        UID:6203310345565921893
        CREATED:20240210T162145Z
        LAST-MODIFIED:20240210T162309Z
        SUMMARY:Pay the rent
        PRIORITY:9
        GEO:52.52;13.40
        URL:https://example.org/rent?a=1;b=2
        ATTACH;FMTTYPE=text/plain:https://example.org/contract.txt
        DUE;TZID=Asia/Tokyo:20261130T090000
        DTSTART;TZID=Asia/Tokyo:20261128T090000
        RRULE:FREQ=MONTHLY
        STATUS:NEEDS-ACTION
        X-APPLE-SORT-ORDER:728425305
        BEGIN:VALARM
        TRIGGER;RELATED=END:PT0S
        ACTION:DISPLAY
        DESCRIPTION:Default Tasks.org description
        END:VALARM
        BEGIN:VALARM
        TRIGGER;RELATED=START:PT0S
        ACTION:DISPLAY
        DESCRIPTION:Default Tasks.org description
        END:VALARM
        END:VTODO
        END:VCALENDAR

        """

    static let journal = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//example//journal//EN
        NAME:Diary
        BEGIN:VJOURNAL
        UID:19970901T130000Z-123405@example.org
        DTSTAMP:19970901T130000Z
        DTSTART;VALUE=DATE:19970317
        SUMMARY:Staff meeting minutes
        DESCRIPTION:1. Staff meeting: Participants include Joe\\, Lisa\\, and Bob.
        DESCRIPTION:2. Telephone conference.
        COMMENT:To be checked
        CATEGORIES:work
        STATUS:DRAFT
        END:VJOURNAL
        END:VCALENDAR

        """
}
