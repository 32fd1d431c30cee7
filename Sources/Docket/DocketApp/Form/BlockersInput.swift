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
            case 0: problem = localized("No other open task has \"\(words)\" in its title.")
            case 1: if !tasks.contains(candidates[0]) { tasks.append(candidates[0]) }
            default:
                let more = candidates.count == BlockersInput.most ? ", …" : ""
                problem =
                    localized("\"\(words)\" is in several titles; write a number: ")
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

    init(_ task: Task, _ label: Phrase) {
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
