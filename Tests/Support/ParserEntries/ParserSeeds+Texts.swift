import CivilTime

extension ParserSeeds {
    /// Documents that are plain texts, by the name of their parser.
    static let texts: [String: [String]] = [
        "predicate": [
            "due < %@ AND ANY tags.name ==[cd] 'home' OR NOT (a.b.c BETWEEN {1, 2})",
            "SUBQUERY(items, $x, $x.price * 2 > 10.5 AND $x.name LIKE 'a*').@count > 0",
            "%K IN {'a', nil, TRUE, 0x1F} || sum(items.price) != -3 ** 2",
            "FUNCTION(name, 'uppercaseString') == \"Z\\u00eb\" && list[FIRST] = 1",
            "TERNARY(number > 0, price, NULL) <= CAST('2', 'NSDecimalNumber')",
            "name MATCHES '[a-z]+' AND name BEGINSWITH $prefix AND x UNION y == SELF",
        ],
        "time-language": [
            "Call the dentist day after tomorrow 9:15 for 45 min every 6 months until march",
            "3rd tuesday of september 2027, 2 weeks before christmas; fri 14-16 or 11/22/2027",
            "half past three in the evening tonight around 11 at 4pm CET, 17h30 20270718",
            "am Freitagabend um halb drei, zwei Wochen vor Ostern, jeden zweiten Montag ab 1. Mai",
            "the second closest monday to oct 5th, fifth last day of may, wednesday after next",
        ],
        "recurrence": [
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,2TH,-1FR;BYSETPOS=1,-1;COUNT=5;WKST=SU",
            """
            DTSTART:20261119T090000
            RRULE:FREQ=YEARLY;BYWEEKNO=20,-1;BYMONTH=5;UNTIL=20300101T000000Z;BYHOUR=9;BYMINUTE=30
            RDATE:20261120T090000,20261126T090000
            EXDATE:20261203T090000
            """,
            "DTSTART;VALUE=DATE:20261119\nRRULE:FREQ=YEARLY;BYYEARDAY=1,100,-1\nEXDATE:20270101",
            "FREQ=HOURLY;INTERVAL=7;BYMONTHDAY=13,-2;BYSECOND=0;UNTIL=20261224",
        ],
        "markdown": [
            """
            # Trip [[Rail prices]]
            - [ ] *one* **two** ~~three~~ `four`
              1. [x] <http://five.org> [six](seven "eight") ![nine](ten)

            > | a | 東 |
            > |:-:|---|
            > | b[^1] | c |

            ```swift
            let x = 1
            ```
            Setext &amp; <b>html</b>\\
            ===

            [^1]: note
            """
        ],
        "property-list": [
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
            <string>Docket 2.xcdatamodel</string><key>n</key><integer>3</integer></dict></plist>
            """
        ],
        "json-value": [#"{"a": [1, -2.5e3, true, null, "\u00e9\ud83d\ude00"], "b": {}}"#],
        "json": [
            #"""
            [{"uuid": "6BD7E7A5-0C0B-4C2A-9E43-8A5C9B9C8E11", "id": 3, "kind": "task",
              "title": "Pay rent", "notes": "a\nb", "list": ["Home", "Bills"], "tags": ["bank"],
              "due": "2026-03-01", "start": "2026-02-28T09:00:00+01:00", "priority": 3,
              "created": "2026-01-01T00:00:00Z", "modified": "2026-01-02T00:00:00Z",
              "order": 1024, "flagged": true, "trashed": false, "location": "Bank",
              "recurrence": "every month", "estimate": 900, "completed": null,
              "depends": ["6BD7E7A5-0C0B-4C2A-9E43-8A5C9B9C8E12"],
              "timeEntries": [{"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T01:00:00Z"}],
              "extra": {"todotxt": {"x": "y"}}, "unknown": [1, {"a": null}]}]
            """#,
            "{\"title\": \"One\"}\n{\"title\": \"Two\", \"kind\": \"note\", \"body\": \"\\ud800\"}\n",
        ],
        "taskwarrior": [
            #"""
            [{"id":1,"description":"Pay rent","entry":"20260101T000000Z","status":"pending",
              "modified":"20260102T000000Z","due":"20260301T000000Z","project":"Home.Bills",
              "priority":"H","tags":["bank","money"],"uuid":"6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e11",
              "annotations":[{"entry":"20260101T010000Z","description":"a note"}],
              "depends":"6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e12","recur":"monthly","urgency":8.9,
              "wait":"20260201T000000Z","start":"20260201T000000Z"},
             {"description":"Done","status":"completed","end":"20260103T000000Z",
              "depends":["6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e12"],"rtype":"periodic","mask":"+-"}]
            """#
        ],
        "todotxt": [
            """
            (A) 2026-01-01 Pay rent +Home @bank due:2026-03-01 rec:+1m t:2026-02-28
            x 2026-01-03 2026-01-01 Done +Home.Bills pri:B id:6bd7e7a5 key:value
            x Done without dates h:1

            note: http://example.org/ a+b x@y (b) +é @ü
            """
        ],
        "task-csv": [
            """
            id,title,list,tags,due,priority,completed,notes,repeat,parent,Colour
            a1,Pay rent,Home/Bills,"bank, \\#1",2026-03-01,high,,"two
            lines",+1m,,red
            b2,Paint,,,2026-03-01T09:00,2,yes,,,a1,blue

            """,
            "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,DATE,DURATION,DURATION_UNIT\r\n"
                + "section,Garden,,,,,,,\r\ntask,Dig @out,d,1,1,A (1),every friday,30,minute\r\n"
                + "task,Sow,,4,2,,2026-11-30,,\r\nnote,a comment,,,,,,,\r\n",
            "\"Date: 2026-11-22+0000\"\n\"Version: 7.1\"\n\"Status: \n0 Normal\"\n\"Folder Name\","
                + "\"List Name\",\"Title\",\"Kind\",\"Content\",\"Is Check list\",\"Start Date\","
                + "\"Due Date\",\"Reminder\",\"Repeat\",\"Priority\",\"Status\",\"Is All Day\","
                + "\"Timezone\",\"taskId\",\"parentId\"\n\"F\",\"L\",\"T\",\"TEXT\",\"c\",\"N\","
                + "\"2026-10-04T21:00:00+0000\",\"2026-10-04T21:00:00+0000\",\"TRIGGER:-PT15M\","
                + "\"RRULE:FREQ=WEEKLY\",\"5\",\"2\",\"true\",\"Africa/Cairo\",\"1\",\"2\"\n",
            "Subject;Due Date;% Complete;Categories\nCall;2026-11-30;100;a;b\n",
        ],
        "org": [
            """
            #+TITLE: Plans
            #+TODO: TODO NEXT | DONE CANCELLED
            #+FILETAGS: :all:
            * Home :h:
            text
            ** NEXT [#A] Pay rent :bank:
            DEADLINE: <2026-03-01 Sun 09:00 ++1m -3d> SCHEDULED: <2026-02-28 Sat>
            :PROPERTIES:
            :ID: 6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e11
            :Effort: 1:30
            :Colour: red
            :END:
            :LOGBOOK:
            CLOCK: [2026-01-01 Thu 10:00]--[2026-01-01 Thu 11:30] =>  1:30
            - State "NEXT" from "TODO" [2026-01-01 Thu 10:00]
            :END:
            - [ ] a box
            ,* no heading
            *** CANCELLED Ask the bank
            CLOSED: [2026-02-01 Sun 10:00]
            *** Notes
            about it
            * A note
            body
            ** with a heading

            """
        ],
        "task-markdown": [
            """
            ---
            title: x
            ---
            # Home #

            Some text.

            - [ ] Pay rent ⏫ 🔁 every month when done 📅 2026-03-01 #bank 🆔 dcf64c
              notes
              ```
              - [ ] code
              ```
                * [x] Ask [due:: 2026-02-28T09:00] ✅ 2026-02-01 ⛔ dcf64c ^block
            1. [-] Cancelled ❌ 2026-02-02 🏁 delete [colour:: red] \\#no
            ## Garden
            + [/] Dig 🔽 ➕ 2026-01-01 🛫 2026-01-02 ⏳ 2026-01-03 (parent:: dcf64c)
            - A note [kind:: note]
              its text

            """
        ],
        "icalendar": [
            """
            BEGIN:VCALENDAR
            PRODID:-//a//b//EN
            X-WR-CALNAME:Home
            BEGIN:VTIMEZONE
            TZID:Mine
            BEGIN:STANDARD
            DTSTART:19701025T030000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VTODO
            UID:a
            SUMMARY:Pay\\, re
             nt
            DESCRIPTION:One\\nTwo
            DTSTART;TZID="Mine":20261124T090000
            DURATION:PT1H
            RRULE:FREQ=WEEKLY
            EXDATE;TZID=Mine:20261201T090000
            PRIORITY:4
            CATEGORIES:a,b
            STATUS:IN-PROCESS
            LAST-MODIFIED:20260101T000000Z
            RELATED-TO;RELTYPE=DEPENDS-ON:b
            X-APPLE-SORT-ORDER:5
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:-PT15M
            END:VALARM
            END:VTODO
            BEGIN:VEVENT
            END:VEVENT
            BEGIN:VJOURNAL
            SUMMARY:Note
            DESCRIPTION:Body
            COMMENT;ALTREP="cid:^'":Notes
            X-DOCKET-LIST:A/B
            END:VJOURNAL
            END:VCALENDAR
            """,
            "BEGIN:VTODO\r\nUID:b\r\nSUMMARY:B\r\nDUE;VALUE=DATE:20261224\r\nRECURRENCE-ID:20261201\r\n"
                + "COMPLETED:20260101T000000Z\r\nX-PINNED:TRUE\r\nRELATED-TO:a\r\nEND:VTODO\r\n",
        ],
        "keepass": [
            """
            <?xml version="1.0" encoding="utf-8"?>
            <KeePassFile><Meta><RecycleBinUUID>AA==</RecycleBinUUID></Meta><Root><Group><UUID>BB==</UUID>
            <Name>Database</Name><Entry><UUID>CC==</UUID><Tags>a;b</Tags>
            <Times><CreationTime>2026-01-01T00:00:00Z</CreationTime>
            <LastModificationTime>AQID</LastModificationTime></Times>
            <String><Key>Title</Key><Value>Mail</Value></String>
            <String><Key>Password</Key><Value ProtectInMemory="True">secret</Value></String>
            <String><Key>Other</Key><Value Protected="True">x</Value></String>
            <Binary><Key>f</Key><Value Ref="0"/></Binary>
            <History><Entry><String><Key>Title</Key><Value>Old</Value></String></Entry></History>
            </Entry><Group><Name>Sub</Name><UUID>AA==</UUID></Group></Group></Root></KeePassFile>
            """
        ],
        "bitwarden": [
            #"""
            {"encrypted": false, "folders": [{"id": "f", "name": "Home/Mail"}], "items": [
             {"id": "i", "folderId": "f", "type": 1, "name": "Mail", "notes": "n", "favorite": true,
              "fields": [{"name": "a", "value": "b", "type": 1}], "login": {"username": "u",
              "password": "p", "totp": "t", "uris": [{"uri": "https://example.org", "match": null}],
              "fido2Credentials": [{}]}, "creationDate": "2026-01-01T00:00:00.000Z",
              "passwordHistory": [{"password": "old"}]},
             {"type": 2, "name": "Note", "secureNote": {"type": 0}},
             {"type": 3, "name": "Card", "card": {"number": "1", "code": "2"}},
             {"type": 4, "name": "Me", "identity": {"firstName": "A", "ssn": "1"}}]}
            """#
        ],
        "credential-table": [
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,"
                + "login_totp\nWeb,1,login,Mail,\"two\nlines\",PIN: 1,0,\"https://a,https://b\",u,p,t\n",
            "\"Group\";\"Title\";\"Username\";\"Password\";\"URL\";\"Notes\";\"Created\"\r\n"
                + "\"Root/Web\";\"Mail\";\"u\";\"p\"\"q\";\"\";\"n\";\"2026-01-01T00:00:00Z\"\r\n",
            "url,username,password,httpRealm,formActionOrigin,guid,timeCreated,timePasswordChanged\n"
                + "https://a,u,p,,https://a,{1},5000,6000",
            "Group(/),Title,Password,Notes\nWeb,Mail,p,\"login: u\nfree\"\n",
        ],
        "pass": [
            "secret\nlogin: me\nurl: https://example.org\notpauth://totp/a?secret=b\nkey: v\n\nfree\n"
        ],
        "settings": [
            """
            # Settings
            theme = "dark"
            ascii = false
            [keys]
            "go.today" = ["g t", 'ctrl-t', "\\u00e9"]
            [colors]
            text = "#1e90ff"
            [backup]
            keep = 1_0
            """
        ],
        "capture": [
            "Pay rent tomorrow 9am +Home/\"Big list\" #bank !high @Bank every month\nmore\n",
            "call \\#1st due:friday start:\"next week\" from 3 may every 2nd tuesday until june !!! 🦊",
            "daily by 31.12.2026 14:30 in 3 days on 2026-W05-3 #a, #b. x@y.z https://a/#b",
        ],
        "query": [
            "due:<7d tag:home -is:done \"exact words\" priority>=medium list:Work/… created:2026-10",
            "(a or -(b \"c \\\" d\")) and not title:~^[a-z]+(x|y)*$ tag:one,\"two three\" id:3-7",
            "due:today..\"next friday\" estimate:<=1h30m every:any has:notes is:blocked f(x) 12:30",
        ],
        "date": [
            "2026-02-28T09:30:15.25+01:00", "next friday at 5pm", "in 2 weeks", "31.12.2026",
            "20260301T000000Z", "end of month", "3 may 2027 noon", "tomorrow 14:30", "2026-060",
        ],
        "terminal-input": [
            "a\u{1b}[A\u{1b}[1;5D\u{1b}OP\u{1b}[<0;10;20M\u{1b}[200~pasted\r\n\u{1b}[201~\u{1b}x",
            "\u{1b}[97;5u\u{1b}]11;rgb:ffff/0000/aaaa\u{1b}\\é🦊\u{1b}[M !!\u{1b}[?2026;1$y\u{1b}[I",
        ],
        "csv": ["name,count\n\"a \"\"b\"\"\",1\r\n,\"x\ny\"\n"],
    ]
}
