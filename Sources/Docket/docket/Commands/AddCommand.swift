import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import Glibc
import ObjectGraph

struct AddCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a task, or a note with --note.",
        discussion: """
            Dates, #tag, !high, +List, @Location, after:12 (the task for which it waits) and \
            blocks:15 are recognised anywhere in the text; a backslash before \
            a word makes it plain text, --plain all of it. Options set a field whatever the text \
            says. Prints the new item's short ID, its title and what was recognised; what was not \
            understood is reported on stderr. Text with words that begin like an option goes after --: \
            docket add -- Explain --verbose

            Without a text, on a terminal, it opens the line of quick capture alone.

            Standard input is one item too; docket import --format todotxt - makes a task of each \
            line.
            """
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Add a note; its first line is the title.") var note = false
    @Flag(help: "Recognise nothing: the first line is the title.") var plain = false
    @Option(help: "The due date, such as 'fri 9:00'.") var due: String?
    @Option(help: "The start date.") var start: String?
    @Option(
        help: "none, low, medium or high.",
        completion: .list(["none", "low", "medium", "high"])
    )
    var priority: String?
    @Option(help: "The list: Home, Work/Reports.", completion: ShellCompletion.lists)
    var list: String?
    @Option(help: "A tag; may be repeated.", completion: ShellCompletion.tags)
    var tag: [String] = []
    @Option(help: "The repetition, such as 'every 2 weeks'.") var every: String?
    @Option(help: "The notes.") var notes: String?
    @Option(
        help: "Add a note with the text of one of your templates (docket help notes).",
        completion: ShellCompletion.templates
    )
    var template: String?
    @Flag(help: "Print the new item as JSON.") var json = false
    @Flag(help: "Print the short ID alone.") var idOnly = false
    @Flag(help: "Print nothing but what was not understood.") var quiet = false
    @Flag(help: "Add nothing; say what would be added.") var dryRun = false
    @Argument(
        parsing: .allUnrecognized,
        help: """
            What to do, or - to read it from standard input; the lines after the first are notes.
            """,
        completion: ShellCompletion.capture
    )
    var text: [String] = []

    func validate() throws {
        if text.isEmpty, template == nil, !opensBar {
            throw ValidationError("Say what to add: docket add Pay the rent")
        }
        if let option = text.prefix(while: { $0 != "--" }).first(where: CommandAdvice.isOption) {
            throw ValidationError(CommandAdvice.onOptionOfAdd(option))
        }
        if template != nil, notes != nil || plain {
            throw ValidationError(
                "--template has a text that is read; leave out --notes and --plain."
            )
        }
        if [json, idOnly, quiet].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --id-only and --quiet are three outputs; use one.")
        }
        if dryRun, idOnly || quiet {
            throw ValidationError(
                "--dry-run adds nothing; leave out \(quiet ? "--quiet" : "--id-only")."
            )
        }
    }

    /// Without a word the line of quick capture is opened, where somebody can type.
    private var opensBar: Bool {
        let hasOption = note || template != nil || plain || json || idOnly || quiet || dryRun
        let isPlain = !hasOption && fields == CaptureFields()
        return isPlain && Console.isTerminal && isatty(STDIN_FILENO) == 1
    }

    func perform() throws {
        let isNote = note || template != nil
        if text.isEmpty, !isNote { return try Interface.run(store, for: .capture) }
        var words = text
        // The terminator arrives with the words.
        if let place = words.firstIndex(of: "--") { words.remove(at: place) }
        let library = try store.open(.writing)
        if words.count > 1 { words = try words.map { try library.written($0) } }
        var line = text == ["-"] ? try standardInput() : words.joined(separator: " ")
        let chosen = try template.map(NoteTemplates.ofUser.template)
        if let chosen {
            let title = line.prefix { !$0.isNewline }
            line =
                chosen.line(title: String(title), library.clock()) + line[title.endIndex...]
        }
        var captured = try library.capture(line, isPlain: plain, fields)
        if let chosen { captured.notes = chosen.text(of: captured, library.clock()) }
        let isListNew = try library.isNewList(captured.list)
        func add() throws -> Item {
            isNote ? try library.addNote(captured).note : try library.addTask(captured).task
        }
        if dryRun {
            var record: ItemRecord?
            func look() {
                let item = library.context.insertedObjects.first { $0 is Item } as? Item
                record = item.map(library.shownRecord)
            }
            _ = try library.trying({ try library.creatingLists(add) }, seeing: look)
            return try tell(record, captured, library, isListNew: isListNew)
        }
        // Who is there is asked; else the library refuses.
        let isAnswered = isListNew && library.newLists == .ask && Console.isTerminal
        if isAnswered, !Console.confirm("Create the list \(ListPath.string(captured.list))?") {
            throw InputError(.badReference, "Nothing was added.")
        }
        let item = try isAnswered ? library.creatingLists(add) : add()
        try tell(library.shownRecord(of: item), captured, library, isListNew: isListNew)
    }

    private var fields: CaptureFields {
        var fields = CaptureFields()
        (fields.due, fields.start, fields.priority) = (due, start, priority)
        (fields.list, fields.tags, fields.every, fields.notes) = (list, tag, every, notes)
        return fields
    }

    private func tell(
        _ record: ItemRecord?,
        _ captured: CapturedItem,
        _ library: Library,
        isListNew: Bool
    ) throws {
        guard let record else { return }
        let id = record.shortID.map(ShortID.string) ?? ""
        if idOnly { return try Console.print(id) }
        if json { return try ItemOutput.printJSON(record) }
        let start = dryRun ? "Dry run, nothing is added:" : id
        let shown = "\(start) \(Console.shown(record.title))"
        var words = captured.words(library.clock(), isListNew: isListNew)
        // What was piped in may have been meant as several tasks.
        if record.kind == .task, let notes = captured.notes?.trimmingSpace, !notes.isEmpty {
            let count = notes.split(omittingEmptySubsequences: false) { $0.isNewline }.count
            words += "\(words.isEmpty ? "" : " · ")\(count) line\(count == 1 ? "" : "s") of notes"
        }
        if !quiet { try Console.print(words.isEmpty ? shown : "\(shown)   \(words)") }
        for remark in captured.remarks { Console.warn(remark) }
    }

    private func standardInput() throws -> String {
        let input = try ByteSource.opening("-")
        let bytes = input.remaining()
        try input.checkWhole()
        if String(validating: bytes, as: UTF8.self) == nil {
            Console.warn("The input is not UTF-8; what cannot be read became “\u{FFFD}”.")
        }
        return String(decoding: CaptureText.clean(bytes), as: UTF8.self)
    }
}
