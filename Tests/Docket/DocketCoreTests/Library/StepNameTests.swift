import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// What a step is called, in the history and after undo and redo.
@Suite struct StepNameTests {
    /// A change, and the names of the step for one item and for several.
    struct Case: CustomTestStringConvertible {
        let change: ItemChange
        let one: String
        let several: String
        var testDescription: String { several }

        init(_ change: ItemChange, _ one: String, _ several: String) {
            (self.change, self.one, self.several) = (change, one, several)
        }
    }

    private static let friday = Day(year: 2026, month: 11, day: 27).map { DueDate(day: $0) }
    private static let nextYear = Day(year: 2027, month: 11, day: 27).map { DueDate(day: $0) }
    private static var atNine: DueDate? {
        try? DateParser(context: Fixed.context).parse("2026-11-27T09:00")
    }

    static let cases = [
        Case(.complete, "Completed \"Pay rent\"", "Completed 3 tasks"),
        Case(.reopen, "Reopened \"Pay rent\"", "Reopened 3 tasks"),
        Case(.trash, "Trashed \"Pay rent\"", "Trashed 3 tasks"),
        Case(.restore, "Restored \"Pay rent\"", "Restored 3 tasks"),
        Case(
            .due(friday),
            "Set due of \"Pay rent\" to Fri 27 Nov",
            "Set due of 3 tasks to Fri 27 Nov"
        ),
        Case(
            .due(atNine),
            "Set due of \"Pay rent\" to Fri 27 Nov 9:00",
            "Set due of 3 tasks to Fri 27 Nov 9:00"
        ),
        Case(
            .postpone(.by(DateShift(2, .day)), Fixed.context),
            "Moved \"Pay rent\" to Tue 24 Nov",
            "Moved 3 tasks 2 days later"
        ),
        Case(.due(nil), "Cleared due of \"Pay rent\"", "Cleared due of 3 tasks"),
        Case(
            .start(nextYear),
            "Set start of \"Pay rent\" to 27 Nov 2027",
            "Set start of 3 tasks to 27 Nov 2027"
        ),
        Case(.start(nil), "Cleared start of \"Pay rent\"", "Cleared start of 3 tasks"),
        Case(
            .priority(3),
            "Set priority of \"Pay rent\" to high",
            "Set priority of 3 tasks to high"
        ),
        Case(
            .priority(0),
            "Set priority of \"Pay rent\" to none",
            "Set priority of 3 tasks to none"
        ),
        Case(.flag(true), "Flagged \"Pay rent\"", "Flagged 3 tasks"),
        Case(.flag(false), "Unflagged \"Pay rent\"", "Unflagged 3 tasks"),
        Case(.list(.inbox), "Moved \"Pay rent\" to the inbox", "Moved 3 tasks to the inbox"),
        Case(
            .list(.path(["work", "New"])),
            "Moved \"Pay rent\" to Work/New",
            "Moved 3 tasks to Work/New"
        ),
        Case(
            .tags(adding: ["BANK", "b"], removing: []),
            "Tagged \"Pay rent\" #bank #b",
            "Tagged 3 tasks #bank #b"
        ),
        Case(
            .tags(adding: ["a", "b", "c", "d", "e"], removing: ["OUT", "nowhere"]),
            "Tagged \"Pay rent\" #a #b #c and 2 more, removed #out",
            "Tagged 3 tasks #a #b #c and 2 more, removed #out"
        ),
        Case(
            .tags(adding: [], removing: ["out"]),
            "Removed #out from \"Pay rent\"",
            "Removed #out from 3 tasks"
        ),
    ]

    private func library(_ folder: LibraryFolder) throws -> Library {
        try Library(url: folder.store, author: "test") { Fixed.context }
    }

    /// Three tasks that each change of the table changes.
    private func fill(_ library: Library, for change: ItemChange) throws -> [Item] {
        _ = try library.addList(path: ["Work"])
        try library.addTask(capturing: "tag holder #bank")
        for title in ["Pay rent", "b", "c"] {
            try library.addTask(capturing: "\(title) tomorrow start:today #out !low +Home")
        }
        let items = Array(try library.items(matching: nil).dropFirst())
        switch change {
        case .reopen: try library.complete(items)
        case .restore: try library.trash(items)
        case .flag(false): try library.setFlagged(true, of: items)
        default: break
        }
        return items
    }

    @Test(arguments: cases)
    func changesOfItemsAreNamedWithOneAndSeveral(_ example: Case) throws {
        for count in [1, 3] {
            let folder = try LibraryFolder()
            let library = try library(folder)
            let items = try fill(library, for: example.change)
            let name = count == 1 ? example.one : example.several
            let step = try library.perform(example.change, on: Array(items.prefix(count)))
            #expect(step?.name == name)
            #expect(try library.undoSteps(limit: 1).first?.name == name)
        }
    }

    @Test(arguments: cases)
    func aLongCommandHasTheSameNames(_ example: Case) throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        let items = try fill(library, for: example.change)
        (library.largestChange, library.partSize) = (2, 2)
        let step = try library.perform(example.change, on: items)
        #expect(step?.name == example.several)
        #expect(try library.undoSteps(limit: 1).first?.name == example.several)
    }

    @Test func aChangeOfSomeNamesOnlyThose() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        let items = try fill(library, for: .complete)
        try library.complete([items[0]])
        #expect(try library.complete(Array(items.prefix(2)))?.name == "Completed \"b\"")
        let note = try library.addNote(capturing: "Idea")
        #expect(try library.trash([items[0], note])?.name == "Trashed 2 items")
        #expect(try library.restore([note])?.name == "Restored \"Idea\"")
    }

    @Test func everyOtherVerbSaysWhatItDid() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        func added(_ text: String, under parent: Task? = nil) throws -> (Task, String?) {
            var defaults = ItemDefaults()
            defaults.parent = parent
            let (task, step) = try library.addTask(library.capture(text), defaults)
            return (task, step?.name)
        }
        let (a, first) = try added("Plan the garden")
        #expect(first == "Added \"Plan the garden\"")
        let (b, second) = try added("order seeds", under: a)
        #expect(second == "Added \"order seeds\" under \"Plan the garden\"")
        let c = try library.addTask(capturing: "c")
        let note = try library.addNote(library.capture("Idea"))
        #expect(note.step?.name == "Added \"Idea\"")
        let edit = try library.edit(
            a,
            ["notes=x", "priority=low", "due=fri", "done=no"].map { try FieldChange($0) }
        )
        #expect(edit?.name == "Edited \"Plan the garden\": due, priority, notes")
        let all = try library.edit(
            b,
            [
                "parent=", "done=yes", "flagged=yes", "notes=x", "tags=x", "priority=low",
                "start=today", "due=fri 9:00", "list=Home", "title=Seeds",
            ].map { try FieldChange($0) }
        )
        #expect(
            all?.name
                == "Edited \"Seeds\": title, list, due, start, priority, tags, flag, notes, "
                + "parent, done"
        )
        #expect(try library.setText("y", of: a)?.name == "Edited \"Plan the garden\": notes")
        #expect(try library.setText("y", of: note.note)?.name == "Edited \"Idea\": text")
        #expect(try library.place([a], .bottom)?.name == "Moved \"Plan the garden\" to the bottom")
        #expect(
            try library.place([b, c], .after(a))?.name.hasPrefix("Moved 2 tasks after") == true
        )
        #expect(
            try library.setParent(a, of: [b, c])?.name == "Put 2 tasks under \"Plan the garden\""
        )
        #expect(
            try library.setParent(nil, of: [b])?.name
                == "Lifted \"Seeds\" out of \"Plan the garden\""
        )
        #expect(try library.duplicate([a]).step?.name == "Duplicated \"Plan the garden\"")
        #expect(try library.duplicate([a, b, c]).step?.name == "Duplicated 3 tasks")
        #expect(try library.duplicate([a, note.note]).step?.name == "Duplicated 2 items")
        #expect(try library.duplicate([]).step == nil)
        let list = try library.addList(path: ["Home", "Garden"])
        #expect(list.step?.name == "Added the list \"Garden\"")
        #expect(
            try library.rename(list.list, to: " Yard ")?.name
                == "Renamed the list \"Garden\" to \"Yard\""
        )
        let work = try library.addList(path: ["Work"]).list
        #expect(try library.move(work, by: -1)?.name == "Moved the list \"Work\" up")
        #expect(try library.delete(work)?.name == "Deleted the list \"Work\"")
    }

    @Test func aFormNamesTheChangedFields() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        let scratch = library.makeScratch()
        let task = scratch.insert(Task.self)
        task.title = "New"
        #expect(try library.saveForm(scratch, of: task)?.name == "Added \"New\"")
        task.estimate = 900
        task.rule = "every week"
        task.$tags.insert(try Library.tag("x", in: scratch))
        #expect(
            try library.saveForm(scratch, of: task)?.name
                == "Edited \"New\": due, tags, repeats, estimate"
        )
        #expect(try library.saveForm(scratch, of: task) == nil)
    }

    @Test func importsNameTheFile() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        func load(_ text: String, named source: String?, batch: Int = 100) throws -> String? {
            _ = try library.importItems(
                .todotxt,
                from: Array(text.utf8),
                named: source,
                batch: batch
            )
            return try library.undoSteps(limit: 1).first?.name
        }
        #expect(try load("one", named: "todo.txt") == "Imported 1 item from todo.txt")
        #expect(try load("one\ntwo\nthree", named: nil) == "Imported 2 items")
        #expect(
            try load((0..<9).map { "x \($0)" }.joined(separator: "\n"), named: "a\nb", batch: 4)
                == "Imported 9 items from a b"
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("two\nlines\tand\u{7}bell", "two lines andbell"),
        ("👨‍👩‍👧‍👦 family", "👨‍👩‍👧‍👦 family"), ("", ""),
        (
            String(repeating: "👨‍👩‍👧‍👦", count: 45),
            String(repeating: "👨‍👩‍👧‍👦", count: 39) + "…"
        ),
        ("לשלם שכר דירה", "לשלם שכר דירה"), ("\u{202E}evil\u{2069} end", "evil end"),
        (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
        (String(repeating: "x", count: 41), String(repeating: "x", count: 39) + "…"),
        (String(repeating: "ab ", count: 3334), "ab ab ab ab ab ab ab ab ab ab ab ab ab …"),
        ("a" + String(repeating: "\u{301}", count: 10_000), nil),
        (String(repeating: "\u{1}", count: 10_000), nil),
    ])
    func titlesAreOneShortLine(title: String, expected: String?) {
        let short = StepName.short(title)
        if let expected { #expect(short == expected) }
        #expect(short.count <= CaptureText.longestTitle)
        #expect(short.unicodeScalars.count <= 321)
        #expect(short.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E })
    }

    @Test func aStrangeTitleIsShortInTheHistory() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        let title = "\u{202E}" + String(repeating: "שלום 👋🏽 ", count: 2000)
        let task = try library.addTask(capturing: title)
        let name = try #require(try library.complete([task])?.name)
        #expect(name.hasPrefix("Completed \"שלום 👋🏽 ") && name.hasSuffix("…\""))
        #expect(name.count == "Completed \"\"".count + CaptureText.longestTitle)
    }

    @Test(arguments: [
        ("Completed \"Pay rent\"", "completed \"Pay rent\""),
        ("Completed 3 tasks", "completed 3 tasks"),
        ("Moved 3 items to Work", "moved 3 items to Work"),
        ("Deleted the list \"Home\"", "deleted the list \"Home\""),
        ("Complete Task", "complete task"), ("Complete 3 Tasks", "complete 3 tasks"),
        ("Set Due Date of 3 Tasks", "set due date of 3 tasks"), ("Welcome", "welcome"),
        ("Ärger", "ärger"), ("", ""), (nil, "a change"),
    ])
    func undoAndRedoSayWhichStep(name: String?, phrase: String) {
        let step = HistoryStep(
            command: 1,
            name: name,
            date: Date(),
            author: nil,
            transactions: [1]
        )
        #expect(step.sentence(undone: true) == "Undid: " + phrase)
        #expect(step.sentence(undone: false) == "Redid: " + phrase)
        #expect(step.title == name ?? "A change")
    }

    @Test func aStepOfAnOlderStoreKeepsItsName() throws {
        let folder = try LibraryFolder()
        let library = try library(folder)
        try library.addTask(capturing: "a").title = "b"
        try library.context.save(as: "Edit Task")
        #expect(try library.undoSteps(limit: 1).first?.title == "Edit Task")
        #expect(try library.undo()?.step.sentence(undone: true) == "Undid: edit task")
    }

    @Test func aRunningCommandIsNamedByWhatItDoes() {
        #expect(StepName.running("Completed 23 tasks") == "Completing 23 tasks")
        #expect(StepName.running("Set due of 3 tasks to Fri") == "Setting due of 3 tasks to Fri")
        #expect(StepName.running("Complete 23 Tasks") == "Complete 23 Tasks")
        #expect(
            StepName.running("Tagged 3 tasks #a", inverting: .undo)
                == "Undoing \"Tagged 3 tasks #a\""
        )
        #expect(
            Set(StepVerb.allCases.map(\.running)).isSuperset(of: [
                "Adding", "Clearing", "Deleting", "Duplicating", "Flagging", "Moving", "Putting",
                "Renaming",
                "Tagging", "Trashing",
            ])
        )
    }
}
