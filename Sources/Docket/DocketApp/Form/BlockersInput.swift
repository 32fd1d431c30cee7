import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// What a text says about the tasks for which others wait: numbers with commas between; words at the
/// end are the task whose title has them, if there is one alone.
struct BlockersInput {
    /// The tasks of the numbers.
    private(set) var tasks: [Task] = []
    /// Why the text cannot be used, one sentence.
    private(set) var problem: String?
    /// The open tasks whose titles have the words at the end.
    private(set) var candidates: [Task] = []
    private let written: [Substring]

    private static let most = 5

    init(_ text: String, for others: [Task] = [], in context: ManagedObjectContext) {
        let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }
            .filter { !$0.allSatisfy(\.isWhitespace) }
        let last = parts.last
        let isOpen = last.map { Int64($0.filter { $0 != " " && $0 != "#" }) == nil } ?? false
        written = isOpen ? Array(parts.dropLast()) : parts
        do {
            let numbers = try written.flatMap { try ShortID.parseList(String($0)) }
            tasks = try Library.tasks(numbered: numbers, in: context)
            guard isOpen, let words = last.map(String.init) else { return }
            candidates = try BlockersInput.find(words, in: context).filter { !others.contains($0) }
            switch candidates.count {
            case 0: problem = "No other open task has \"\(words)\" in its title."
            case 1: if !tasks.contains(candidates[0]) { tasks.append(candidates[0]) }
            default:
                let more = candidates.count == BlockersInput.most ? ", …" : ""
                problem =
                    "\"\(words)\" is in several titles; write a number: "
                    + BlockersInput.titles(candidates).joined(separator: ", ") + more
            }
        } catch {
            problem = (error as? InputError)?.message ?? "\(error)"
        }
    }

    private static func find(_ words: String, in context: ManagedObjectContext) throws -> [Task] {
        let title = FetchComparison(
            .keyPath(Item.Keys.title),
            .contains,
            .constant(.string(words.trimmingSpace)),
            options: [.caseInsensitive, .diacriticInsensitive]
        )
        var request = FetchRequest<Task>(
            where: try Condition(.comparison(title)) && Condition(inherited: Library.openItems),
            sortedBy: \.displayOrder
        )
        request.limit = most
        return try context.fetch(request)
    }

    private static func titles(_ tasks: [Task]) -> [String] {
        tasks.map { "\($0.shortID) \(DisplayWidth.singleLine($0.title))" }
    }

    /// The text of some tasks.
    static func text(of tasks: some Collection<Task>) -> String {
        tasks.map(\.shortID).sorted().map(String.init).joined(separator: ", ")
    }

    /// The candidates, each of which takes the place of the words.
    func suggestions(_ text: String) -> Suggestions? {
        Suggestions(
            0..<text.utf8.count,
            candidates.map { task in
                let title = DisplayWidth.singleLine(task.title)
                let numbers = written + ["\(task.shortID)"]
                return (
                    .init("\(task.shortID)", detail: title), numbers.joined(separator: ", ") + ", "
                )
            }
        )
    }

    /// The titles of the tasks, or those that can be taken.
    var preview: RichLine? {
        let shown = candidates.isEmpty ? tasks : candidates
        if shown.isEmpty { return nil }
        let titles = BlockersInput.titles(shown)
        return .plain(titles.joined(separator: candidates.isEmpty ? ", " : "  "), .dim)
    }
}

/// The tasks for which a task waits.
final class BlockersEditor: TextEditor {
    private var input: BlockersInput?

    init(_ task: Task, _ label: String) {
        super.init(
            task,
            Task.Keys.blockedBy,
            label,
            placeholder: "nothing; a number, or words of a title"
        )
    }

    override func load() {
        let present = (item as? Task)?.blockedBy ?? []
        if let input, input.problem == nil, Set(input.tasks) == present { return }
        field.text = BlockersInput.text(of: present)
        textDidChange()
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override var suggestions: Suggestions? { input?.suggestions(field.text) }

    override func textDidChange() {
        guard let task = item as? Task, let context = task.context else { return }
        let input = BlockersInput(field.text, for: [task], in: context)
        self.input = input
        (problem, preview) = (input.problem, input.preview)
    }

    override var change: ItemChange? {
        input.flatMap { $0.problem == nil ? .waits($0.tasks.map(\.shortID)) : nil }
    }
}

/// Asks for what tasks wait for.
final class BlockersBar: ItemsBar {
    private let library: Library
    private var tasks: [Task] { ((try? library.existing(ids)) ?? []).compactMap { $0 as? Task } }

    init(_ workspace: Workspace) throws {
        library = workspace.library
        let tasks = Targets.items(try workspace.items.targets("for one step")).tasks
        super.init(
            "Waits for",
            tasks,
            text: BlockersInput.text(of: tasks.onlyTask?.blockedBy ?? []),
            placeholder: "a number, or words of a title; empty for nothing"
        )
        show()
    }

    override func hints(_ look: Look) -> [Hint] {
        super.hints(look) + [Hint(look.isASCII ? "Right" : "→", "take the first")]
    }

    override func suggestions(in workspace: Workspace) -> Suggestions? {
        input.suggestions(field.text)
    }

    override func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .key(.right) = event, field.cursor == field.text.utf8.count,
            let text = input.suggestions(field.text)?.texts.first
        {
            field.text = text
            show()
            return followWord(in: workspace)
        }
        try super.handle(event, in: workspace)
    }

    private var input: BlockersInput {
        BlockersInput(field.text, for: tasks, in: library.context)
    }

    override func accept(in workspace: Workspace) throws {
        let input = input
        if let problem = input.problem { throw InputError(.badReference, problem) }
        let change = ItemChange.waits(input.tasks.map(\.shortID))
        let targets = try library.targets(ids)
        try workspace.perform(change, on: targets, unchanged: "It waits for that already")
        workspace.close(self)
    }

    override func show() {
        let input = input
        preview = input.preview ?? .plain(input.problem ?? "waits for nothing", .dim)
    }
}
