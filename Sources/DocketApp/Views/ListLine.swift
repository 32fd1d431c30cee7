package import ObjectGraph
import TerminalUI

/// The content of the items pane.
package enum Scope: Hashable, Sendable {
    case smart(SmartList)
    case list(ManagedObjectID)
    case tag(ManagedObjectID)
}

/// The built-in lists.
package enum SmartList: String, CaseIterable, Hashable, Sendable {
    case today
    case overdue
    case dueSoon
    case highPriority
    case flagged
    case all
    case inbox
    case done
    case trash

    var title: String {
        switch self {
        case .today: "Today"
        case .overdue: "Overdue"
        case .dueSoon: "Due soon"
        case .highPriority: "High priority"
        case .flagged: "Flagged"
        case .all: "All"
        case .inbox: "Inbox"
        case .done: "Done"
        case .trash: "Trash"
        }
    }

    /// Whether it shows tasks below their parents; the others show each item separately.
    var isTree: Bool { self == .all || self == .inbox }
}

/// A row of the lists pane.
enum ListLine: Hashable {
    case scope(Scope, title: String, depth: Int, fold: ItemRow.Fold?)
    case separator

    var scope: Scope? {
        if case .scope(let scope, _, _, _) = self { return scope }
        return nil
    }
}

/// Draws one row of the lists pane.
struct ListLineView {
    let line: ListLine
    let count: Int?
    let isCurrent: Bool
    let look: Look

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        guard case .scope(let scope, let title, let depth, let fold) = line else {
            let rule = String(repeating: Character(canvas.symbols.horizontal), count: width)
            canvas.put(rule, at: Position(row: 0, column: 0), width: width, style: look[.border])
            return
        }
        let number = count.map { $0 == 0 ? "" : "\($0)" } ?? ""
        let numberWidth = number.isEmpty ? 0 : number.utf8.count + 2
        var lead = String(repeating: " ", count: min(depth * 2, width / 3))
        switch fold {
        case .folded: lead += look.signs.folded + " "
        case .unfolded: lead += look.signs.unfolded + " "
        case nil: lead += isTag(scope) ? "\(look.signs.tag) " : "  "
        }
        let style = look[isCurrent ? .title : isTag(scope) ? .tag : .text]
        canvas.put(
            [TextRun(lead, look[.dim]), TextRun(title, style)],
            at: Position(row: 0, column: 0),
            width: max(0, width - numberWidth),
            fill: look[.text]
        )
        guard numberWidth > 0, numberWidth < width else { return }
        canvas.put(
            number,
            at: Position(row: 0, column: width - numberWidth + 1),
            style: look[countRole]
        )
    }

    private func isTag(_ scope: Scope) -> Bool {
        if case .tag = scope { return true }
        return false
    }

    private var countRole: Role {
        line.scope == .smart(.overdue) ? .overdue : .dim
    }
}
