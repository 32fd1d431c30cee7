import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

/// Documents with headings: org and Markdown.
@Suite("Documents with headings") struct OutlineTests {
    static let formats: [ExchangeFormat] = [.org, .markdown]

    private static let org = """
        #+TITLE: Plans
        #+TODO: TODO NEXT | DONE CANCELLED
        #+FILETAGS: :all:

        Words before everything.
        * Home :h:
        Text of the list.

        ** NEXT [#A] Pay rent :bank:
        DEADLINE: <2026-03-01 Sun 09:00 ++1m -3d> SCHEDULED: <2026-02-28 Sat>
        :PROPERTIES:
        :ID:       6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e11
        :Effort:   1:30
        :Colour:   red
        :END:
        :LOGBOOK:
        CLOCK: [2026-01-01 Thu 10:00]--[2026-01-01 Thu 11:30] =>  1:30
        - State "NEXT"       from "TODO"       [2026-01-01 Thu 10:00]
        :END:
        First line
        - [ ] a box

        *** CANCELLED Ask the bank
        CLOSED: [2026-02-01 Sun 10:00]
        *** Notes
        about it
        *** TODO Sign
        ** DONE [#D] Old
        * A note
        body
        ** with a heading
        more
        """

    private static let markdown = """
        ---
        title: x
        # no heading
        ---
        # Home #

        Some text.

        - [ ] Pay rent ⏫ 🔁 every month when done 📅 2026-03-01 #bank 🆔 dcf64c
          First line

          ```
          - [ ] code
          ```
            * [x] Ask [due:: 2026-02-28T09:00] ✅ 2026-02-01 ⛔ dcf64c ^block
            * [ ] Sign
        1. [-] Cancelled ❌ 2026-02-02 🏁 delete [colour:: red]

        ## Garden ##
        \t+ [/] Dig 🔽 ➕ 2026-01-01 🛫 2026-01-02 ⏳ 2026-01-03

        - plain
        - A note [kind:: note]
          its text

        The end.
        """

    private static func document(_ format: ExchangeFormat) -> String {
        format == .org ? org : markdown
    }

    @Test(arguments: formats)
    func aFileThatNobodyChangedComesOutAsItWas(format: ExchangeFormat) throws {
        for end in ["", "\n", "\n\n"] {
            for text in [
                Self.document(format) + end, "\u{FEFF}" + Self.document(format) + end,
                Self.document(format).replacing("\n", with: "\r\n") + end,
            ] {
                let (records, report) = try Exchange.read(text, format)
                #expect(report.isComplete, "\(report.text())")
                let back = Exchange.write(records, format)
                #expect(back.text == text)
                #expect(back.report.skipped.isEmpty)
            }
        }
    }

    @Test(arguments: formats)
    func anyFileThatNobodyChangedComesOutAsItWas(format: ExchangeFormat) throws {
        let org = [
            "* A", "** B :x:", "* TODO c", "** TODO d", "*** DONE e :y:", "text", "", "* - x",
            "#+FILETAGS: :f:",
            "DEADLINE: <2026-11-30 Mon +1w>", ":PROPERTIES:\n:ID: 7\n:END:", ":X:\ny\n:END:",
            ",* z",
            "# remark", "*** f", "- [ ] box",
        ]
        let markdown = [
            "# A", "## B", "- [ ] c", "  - [x] d ✅ 2026-11-20", "    - [ ] e #t", "text", "",
            "\t- [ ] f",
            "  notes", "```", "> quote", "1. [ ] g 📅 2026-11-30", "- h", "---", "      deep",
            "* [ ] c",
        ]
        for seed in SeededRandom.seeds(150) {
            var random = SeededRandom(seed: seed)
            let parts = format == .org ? org : markdown
            let text = (0...random.below(14)).map { _ in random.pick(parts) }
                .joined(separator: "\n")
            let (records, report) = try Exchange.read(text, format)
            guard report.isComplete, !records.isEmpty else { continue }
            // Two names of one item are an error of the import.
            guard Set(records.map(\.uuid)).count == records.count else { continue }
            let back = Exchange.write(records, format).text
            #expect(back == text, "seed \(seed): \(text)")
        }
    }

    @Test func headingsStatesAndDatesOfOrgAreRead() throws {
        let (records, report) = try Exchange.read(Self.org, .org)
        #expect(
            records.map(\.title) == ["Pay rent", "Ask the bank", "Notes", "Sign", "Old", "A note"]
        )
        #expect(records.map(\.kind) == [.task, .task, .note, .task, .task, .note])
        let rent = records[0]
        #expect(rent.list == ["Home"] && rent.tags == ["all", "h", "bank"] && rent.priority == 3)
        #expect(rent.uuid == UUID(uuidString: "6bd7e7a5-0c0b-4c2a-9e43-8a5c9b9c8e11"))
        #expect(rent.due?.isDateOnly == false && rent.start?.isDateOnly == true)
        #expect(rent.recurrence == "+1m" && rent.estimate == 5400)
        #expect(rent.notes == "First line\n- [ ] a box" && rent.timeEntries.count == 1)
        #expect(records[1].parent == rent.uuid && records[3].parent == rent.uuid)
        #expect(records[1].completed != nil && records[4].completed == Fixed.context.now)
        #expect(records[2].body == "about it" && records[2].list == ["Home"])
        #expect(records[5].list.isEmpty && records[5].body == "body\n** with a heading\nmore")
        // A blank before tags is no part of a title.
        #expect(report.changed.count == 1, "\(report.text())")
        #expect(report.changed.contains { $0.reason.contains("belongs to no item") })
    }

    @Test func headingsBoxesAndSignsOfMarkdownAreRead() throws {
        let (records, _) = try Exchange.read(Self.markdown, .markdown)
        #expect(records.map(\.title) == ["Pay rent", "Ask", "Sign", "Cancelled", "Dig", "A note"])
        let rent = records[0]
        #expect(rent.list == ["Home"] && rent.tags == ["bank"] && rent.priority == 3)
        #expect(rent.recurrence == "every month" && rent.repeatsFromCompletion)
        #expect(rent.notes == "First line\n\n```\n- [ ] code\n```")
        #expect(records[1].parent == rent.uuid && records[2].parent == rent.uuid)
        #expect(records[1].due?.isDateOnly == false && records[1].dependencies == [rent.uuid])
        #expect(records[3].completed != nil && records[3].parent == nil)
        #expect(records[4].list == ["Home", "Garden"] && records[4].priority == 1)
        #expect(records[5].kind == .note && records[5].body == "its text")
    }

    @Test func aLineBetweenTasksIsNoFrontMatterOnceItIsTheFirstOne() throws {
        let (records, _) = try Exchange.read("- [ ] a\n---\n- [ ] b\n---\n- [ ] c\n", .markdown)
        #expect(records.map(\.title) == ["a", "b", "c"])
        let rest = Exchange.write(Array(records.dropFirst()), .markdown).text
        #expect(rest == "\n---\n- [ ] b\n---\n- [ ] c\n")
        #expect(try Exchange.read(rest, .markdown).records.map(\.title) == ["b", "c"])
        // Without an end it is none.
        #expect(try Exchange.read("---\n- [ ] b\n", .markdown).records.map(\.title) == ["b"])
        let matter = "---\n- [ ] no task\n...\n- [ ] b\n"
        #expect(try Exchange.read(matter, .markdown).records.map(\.title) == ["b"])
    }

    @Test(arguments: [
        "📅 party", "⏫", "buy 🔁 stuff 🏁", "a (b:: c)", "[parent:: aaa", "x [due:: 2026-03-01]",
        "\\#tag", "\\\\📅 x", "2 ^3 ^4", "🛫 Lisbon, ✅ 2026-03-01",
    ])
    func wordsThatMeanSomethingInMarkdownStayInTheTitle(title: String) throws {
        var record = ItemRecord(uuid: UUID(), title: title, created: Fixed.context.now)
        (record.parent, record.estimate) = (UUID(), 600)
        let (text, report) = Exchange.write([record], .markdown)
        #expect(report.changed.isEmpty, "\(report.text())")
        let (records, _) = try Exchange.read(text, .markdown)
        #expect(records.map(\.title) == [title] && records[0].tags == [], "\(text)")
        #expect(records[0].parent == record.parent && records[0].estimate == 600, "\(text)")
    }

    @Test(arguments: [":a:b:", "Buy :milk:", "[#A] x", "[#A] :a:"], [[], ["home"]])
    func signsOfOrgStayInTheTitle(title: String, tags: [String]) throws {
        var record = ItemRecord(uuid: UUID(), title: title, created: Fixed.context.now)
        record.tags = tags
        let (text, report) = Exchange.write([record], .org)
        #expect(report.changed.isEmpty, "\(report.text())")
        let (records, _) = try Exchange.read(text, .org)
        #expect(records.map(\.title) == [title] && records[0].tags == tags, "\(text)")
        #expect(records[0].priority == 0, "\(text)")
    }

    @Test(
        arguments: formats,
        ["one\r\n- [ ] two\r\n* TODO three", "a\rb", "all:\n\tcc x.c\n\t\tx"]
    )
    func linesOfNotesStayNotes(format: ExchangeFormat, notes: String) throws {
        var record = ItemRecord(uuid: UUID(), title: "T", created: Fixed.context.now)
        record.notes = notes
        let (text, _) = Exchange.write([record, record], format)
        let (records, _) = try Exchange.read(text, format)
        #expect(records.map(\.title) == ["T", "T"], "\(text)")
        #expect(records[0].notes == CaptureText.cleanText(notes), "\(text)")
    }

    @Test func codeOfADocumentKeepsItsTabs() throws {
        let org = "* TODO Build\n#+BEGIN_SRC make\nall:\n\tcc x.c\n#+END_SRC\n"
        let markdown = "- [ ] Build\n  ```make\n  all:\n  \tcc x.c\n  ```\n"
        for (format, text) in [(ExchangeFormat.org, org), (.markdown, markdown)] {
            var (records, report) = try Exchange.read(text, format)
            #expect(report.changed.isEmpty && records[0].notes?.contains("\n\tcc x.c\n") == true)
            records[0].title = "Build it"
            let back = try Exchange.read(Exchange.write(records, format).text, format).records
            #expect(back[0].notes == records[0].notes)
        }
    }

    @Test(arguments: formats) func controlCharactersOfNotesAreReported(
        format: ExchangeFormat
    ) throws {
        let head = format == .org ? "* TODO A" : "- [ ] A"
        let (records, report) = try Exchange.read("\(head)\n  b\u{1}c\n", format)
        #expect(records[0].notes?.hasSuffix("bc") == true)
        #expect(report.changed.map(\.reason) == ["Control characters were removed from its text."])
    }

    @Test(arguments: ["TODO", "DONE buy milk", "TODO [#A] x"])
    func aNoteWhoseTitleBeginsLikeATaskOfOrgStaysANote(title: String) throws {
        var note = ItemRecord(uuid: UUID(), title: title, created: Fixed.context.now)
        (note.kind, note.body) = (.note, "text")
        let text = Exchange.write([note], .org).text
        let (records, report) = try Exchange.read(text, .org)
        #expect(records.map(\.title) == [title] && records[0].kind == .note, "\(report.text())")
        #expect(records[0].body == "text" && Exchange.write(records, .org).text == text)
    }

    @Test func headingsOfOrgWithoutWordsAndDatesOfNotesAreNoErrors() throws {
        let text = "* \n** :a:\n*** TODO a\n* \n* Note\nDEADLINE: <2026-13-01 Mon>\n"
        let (records, report) = try Exchange.read(text, .org)
        #expect(records.map(\.title) == ["a", "Note"] && report.isComplete, "\(report.text())")
        #expect(records[1].body == "DEADLINE: <2026-13-01 Mon>" && records[0].list == [])
        #expect(Exchange.write(records, .org).text == text)
        // The task is gone, so that the headings lead to nothing.
        let rest = Exchange.write(Array(records.dropFirst()), .org).text
        #expect(try Exchange.read(rest, .org).records.map(\.title) == ["Note"])
    }

    @Test func anEditedItemKeepsWhatItDoesNotKnow() throws {
        var (records, _) = try Exchange.read(Self.org, .org)
        records[0].title = "Pay the rent"
        records[0].completed = Fixed.context.now
        records.remove(at: 3)
        let text = Exchange.write(records, .org).text
        #expect(text.contains("** DONE [#A] Pay the rent :bank:\n"), "\(text)")
        #expect(text.contains("DEADLINE: <2026-03-01 Sun 09:00 ++1m -3d>"))
        for part in [
            ":Colour: red", "- State \"NEXT\"", "CLOCK: [2026-01-01 Thu 10:00]", "#+TITLE: Plans",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        var (tasks, _) = try Exchange.read(Self.markdown, .markdown)
        tasks[3].title = "Gone"
        tasks[0].due = nil
        let lines = Exchange.write(tasks, .markdown).text
        #expect(lines.contains("1. [-] Gone ❌ 2026-02-02 🏁 delete [colour:: red] 🆔 "), "\(lines)")
        #expect(lines.contains("- [ ] Pay rent #bank ⏫ 🔁 every month when done 🆔 dcf64c\n"))
        #expect(lines.hasPrefix("---\ntitle: x\n") && lines.hasSuffix("\nThe end."))
    }

    @Test(arguments: formats)
    func aNewItemFollowsThoseOfItsList(format: ExchangeFormat) throws {
        let text =
            format == .org ? "* A\n** TODO a\n* B\n** TODO b\n" : "# A\n- [ ] a\n\n# B\n- [ ] b\n"
        var (records, _) = try Exchange.read(text, format)
        var new = ItemRecord(uuid: UUID(), title: "new", created: Fixed.context.now)
        new.list = ["a"]
        records.append(new)
        var loose = new
        (loose.uuid, loose.title, loose.list) = (UUID(), "loose", [])
        records.append(loose)
        let back = Exchange.write(records, format).text
        let titles = try Exchange.read(back, format).records
        #expect(titles.map(\.title) == ["loose", "a", "new", "b"], "\(back)")
        #expect(titles.map(\.list) == [[], ["A"], ["A"], ["B"]])
        #expect(titles[0].uuid == loose.uuid && titles[2].uuid == new.uuid)
    }

    /// The lines of a document, and the order in which Docket has its items now.
    @Test(arguments: formats)
    func headingsAndTextsStayWhereTheyWereWhenItemsMove(format: ExchangeFormat) throws {
        let isOrg = format == .org
        let head =
            isOrg ? "#+TITLE: Plans\n* Home\nText.\n" : "---\ntitle: x\n---\n# Home\n\nText.\n\n"
        func task(_ title: String) -> String { isOrg ? "** TODO \(title)\n" : "- [ ] \(title)\n" }
        let work = isOrg ? "* Work\n" : "# Work\n\n"
        let text = head + task("a") + task("b") + work + task("c")
        var (records, _) = try Exchange.read(text, format)
        /// Without the identities that items get with another list.
        func written() -> String {
            Exchange.write(records, format).text
                .replacing(/:PROPERTIES:\n:ID: .*\n:END:\n| 🆔 \S+/, with: "")
        }
        // Another one is first now.
        records.swapAt(0, 1)
        #expect(
            Exchange.write(records, format).text == head + task("b") + task("a") + work + task("c")
        )
        // The first one is in the other list.
        records.swapAt(0, 1)
        records[0].list = ["Work"]
        let moved = written()
        #expect(moved == head + task("b") + work + task("c") + task("a"), "\(moved)")
        // Nobody is left in the first list.
        records.remove(at: 1)
        let rest = written()
        #expect(rest == head + work + task("a") + task("c"), "\(rest)")
    }

    @Test(arguments: formats)
    func itemsThatAreWrittenAndReadMeanTheSame(format: ExchangeFormat) throws {
        for seed in SeededRandom.seeds(80) {
            var random = SeededRandom(seed: seed)
            let records = Self.records(&random, format)
            let (text, report) = Exchange.write(records, format)
            #expect(report.skipped.isEmpty)
            let (read, problems) = try Exchange.read(text, format)
            #expect(problems.isComplete, "seed \(seed): \(problems.text())\n\(text)")
            let found = Dictionary(read.map { ($0.uuid, $0) }) { first, _ in first }
            #expect(
                read.count == records.count && found.count == records.count,
                "seed \(seed): \(text)"
            )
            for record in records {
                let other = try #require(
                    found[record.uuid],
                    "seed \(seed): \(record.title)\n\(text)"
                )
                let fields = record.fields(unlike: other).filter { $0 != .extra }
                #expect(fields.isEmpty, "seed \(seed): \(record.title) \(fields)\n\(text)")
            }
            // What was read is written as it was.
            #expect(Exchange.write(read, format).text == text, "seed \(seed)")
        }
    }

    /// Items with everything that a format holds, to the minute or the day.
    private static func records(
        _ random: inout SeededRandom,
        _ format: ExchangeFormat
    ) -> [ItemRecord] {
        let words = [
            "Pay", "rent", "Ämter", "日本", "🏠", "e\u{301}", "#a", "* x", "- [ ] y", "a:b", "]",
        ]
        let zone = Fixed.context.zone
        let day = { (random: inout SeededRandom) in Day(number: 20_000 + random.below(2000)) }
        func due(_ random: inout SeededRandom) -> DueDate {
            let day = day(&random)
            return random.chance(2)
                ? DueDate(day: day)
                : DueDate(moment: zone.moment(day, second: 32_400 + random.below(600) * 60))
        }
        var records: [ItemRecord] = []
        for number in 0..<random.below(9) {
            let created = DueDate.noon(day(&random))
            var record = ItemRecord(
                uuid: UUID(),
                title: "\(number) \(random.pick(words)) z",
                created: created
            )
            record.list = random.pick([[], ["Home"], ["Home", "Garden"], ["Work"]])
            record.tags = random.pick([[], ["out"], ["desk", "@home"], ["gärten"]])
            let text =
                "\(random.pick(words)) line\n\n\(random.pick(words))\n```\n\(random.pick(words))"
            if random.chance(4) {
                record.kind = .note
                if random.chance(2) { record.body = text }
                records.append(record)
                continue
            }
            if random.chance(2) { record.notes = text }
            if random.chance(2) { record.due = due(&random) }
            if random.chance(2) { record.start = due(&random) }
            record.priority = random.below(4)
            if random.chance(3) { record.completed = DueDate.noon(day(&random)) }
            if random.chance(3) { record.estimate = random.below(900) * 60 }
            if random.chance(4) { record.location = "Bank" }
            if format == .org, random.chance(4) {
                let start = zone.moment(day(&random), second: 36_000)
                record.timeEntries = [
                    TimeEntryRecord(start: start, end: start.addingTimeInterval(5400))
                ]
            }
            if random.chance(3) {
                record.recurrence = format == .org ? "+2w" : "every 2 weeks"
            }
            let tasks = records.filter { $0.kind == .task }
            if let other = tasks.randomElement(using: &random), random.chance(2) {
                if random.chance(3) {
                    record.dependencies = [other.uuid]
                } else {
                    record.parent = other.uuid
                }
                if random.chance(2) { record.list = other.list }
            }
            records.append(record)
        }
        return records.shuffled(using: &random)
    }

    @Test(arguments: [
        (ExchangeFormat.org, "* TODO a\nDEADLINE: <2026-13-01 Mon>\n* TODO b\n", 2, "month"),
        (.org, "* TODO a\n\nSCHEDULED: <2026-02-30 Mon>\n* TODO\n* TODO b\n", 4, "no title"),
        (.org, "no headings\n", 1, "has no headings"),
        (.org, "* TODO b\n\u{0}\n", 1, "bytes that are 0"),
        (.markdown, "- [ ] a 📅 2026-02-30\n- [ ] b\n", 1, "is not a date: February"),
        (.markdown, "text\n- [ ]\n- [ ] b\n", 2, "no title"),
        (.markdown, "# no tasks\n", 1, "has no tasks"),
    ])
    func aBrokenItemIsReportedWithItsLineAndTheRestIsRead(
        format: ExchangeFormat,
        text: String,
        line: Int,
        reason: String
    ) throws {
        let (records, report) = try Exchange.read(text, format)
        #expect(report.skipped.map(\.line) == [line], "\(report.text())")
        #expect(report.skipped.first?.reason.contains(reason) == true, "\(report.text())")
        let isRead = text.contains(" b\n") && !text.contains("\u{0}")
        #expect(records.last?.title == (isRead ? "b" : nil))
    }

    @Test(arguments: formats)
    func tenThousandLevelsAreReadAndWritten(format: ExchangeFormat) throws {
        // A document of them would have 50 to 100 MB, nearly all of it signs of the level: the last
        // levels are enough for what happens at one.
        let (count, first) = (10_000, 9_900)
        let text = ([0] + (first..<count)).map { level in
            format == .org
                ? String(repeating: "*", count: level + 1) + " TODO t\n"
                : String(repeating: " ", count: level * 2) + "- [ ] t\n"
        }.joined()
        let (records, report) = try Exchange.read(text, format)
        #expect(records.count == count - first + 1 && report.isComplete)
        for (record, above) in zip(records.dropFirst(), records) {
            #expect(record.parent == above.uuid)
        }
        #expect(Exchange.write(records, format).text == text)
    }

    @Test(arguments: formats)
    func aLineThatIsTooLongIsLeftOut(format: ExchangeFormat) throws {
        let mark = format == .org ? "* TODO " : "- [ ] "
        let long = String(repeating: "x", count: 3 << 20)
        let text = "\(mark)a\n\(mark)\(long)\n\(mark)b\n"
        let source = ByteSource(Array(text.utf8), partSize: 1 << 12)
        source.itemLimit = 1 << 20
        let (records, report) = try Exchange.read(source, format)
        #expect(records.map(\.title) == ["a", "b"], "\(records.map { $0.title.prefix(9) })")
        #expect(report.skipped.map(\.line) == [2])
        #expect(report.skipped.first?.reason.contains("is longer than 1 MB") == true)
    }

    @Test(arguments: formats + [.csv])
    func theSizeOfThePartsDoesNotMatter(format: ExchangeFormat) throws {
        let text =
            format == .csv
            ? "title,notes\r\n\"a\r\nb\",x\r\n\"c\"\"\",\"ä\"\r\n" : Self.document(format)
        let whole = try Exchange.read(text, format)
        for size in [1, 2, 3, 7, 16, 64] {
            let parts = try Exchange.read(ByteSource(Array(text.utf8), partSize: size), format)
            #expect(parts.records == whole.records && parts.report == whole.report, "\(size)")
        }
    }
}
