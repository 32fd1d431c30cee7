import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// Asks for a date in words and shows the day during typing.
final class DateBar: InputBar {
    private let context: DateContext
    private let ids: [ManagedObjectID]
    private let change: (DueDate?) -> ItemChange
    private let what: String

    init(
        _ what: String,
        _ workspace: Workspace,
        current: (Task) -> DueDate?,
        change: @escaping (DueDate?) -> ItemChange
    ) {
        self.what = what
        self.change = change
        let context = workspace.library.clock()
        self.context = context
        ids = workspace.items.targetIDs.filter { $0.entityName == Task.entityName }
        let only = ids.count == 1 ? ids.first.flatMap(workspace.items.item) as? Task : nil
        let date = only.flatMap(current)
        let text = date.map { DateFormat(context: context).words($0) } ?? ""
        super.init(what, text: text, placeholder: "tomorrow 9am, fri, 22 nov, in 2 weeks")
        field.offer()
        show()
    }

    override var purpose: String? { "\(what) \(ids)" }
    override func textDidChange(in workspace: Workspace) throws { show() }

    override func accept(in workspace: Workspace) throws {
        let due = try DateInput(field.text, context).get()
        workspace.close(self)
        let text = due.map { DateFormat(context: context).relative($0) }
        let lead = "\(what)\(text.map { " \($0)" } ?? "")"
        let unchanged = text == nil ? "\(what): no date already" : "\(lead) already"
        try workspace.perform(change(due), on: ids, unchanged: unchanged)
    }

    private func show() {
        switch DateInput(field.text, context) {
        case .none: preview = .plain("no date", .dim)
        case .date(let due):
            let format = DateFormat(context: context)
            preview = .plain("\(format.full(due))  (\(format.relative(due)))", .dueSoon)
        case .wrong(let error): preview = .plain(error.message, .warning)
        }
    }
}

/// The meaning of a text in a date field.
enum DateInput {
    case none
    case date(DueDate)
    case wrong(InputError)

    init(_ text: String, _ context: DateContext) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            self = .none
            return
        }
        do throws(InputError) {
            self = .date(try DateParser(context: context).parse(text))
        } catch {
            self = .wrong(error)
        }
    }

    func get() throws(InputError) -> DueDate? {
        switch self {
        case .none: return nil
        case .date(let date): return date
        case .wrong(let error): throw error
        }
    }
}
