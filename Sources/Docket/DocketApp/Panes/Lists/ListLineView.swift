import DocketCore
import ObjectGraph
import TerminalUI

/// A row of the lists pane.
enum ListLine: Hashable {
    case scope(Scope, title: String, depth: Int, fold: ItemRow.Fold?)
    /// A folder of files, by its place in the settings.
    case folder(Int)
    /// The vault, which has no items.
    case vault
    case separator

    var folder: Int? {
        if case .folder(let index) = self { return index }
        return nil
    }

    var scope: Scope? {
        if case .scope(let scope, _, _, _) = self { return scope }
        return nil
    }
}

/// Draws one row of the lists pane.
struct ListLineView {
    let line: ListLine
    let count: Int?
    /// Whether its search cannot be used.
    let hasProblem: Bool
    let isCurrent: Bool
    /// What the row of the vault says at its right.
    let vaultState: String
    /// The folder of a row that is one.
    var folder: FolderPlace?
    let look: Look

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        if line == .vault {
            return render(localized("Vault"), look[.text], state: vaultState, into: &canvas)
        }
        if let folder {
            let role: Role = folder.problem != nil ? .dim : isCurrent ? .title : .text
            return render(folder.setting.name, look[role], state: folder.state, into: &canvas)
        }
        guard case .scope(let scope, let title, let depth, let fold) = line else {
            return
        }
        let number = hasProblem ? "!" : count.map { $0 == 0 ? "" : "\($0)" } ?? ""
        // With a blank at both sides, so that a number in the title stays apart.
        let numberWidth = number.isEmpty ? 0 : number.utf8.count + 2
        var lead = String(repeating: " ", count: min(depth, width / 3))
        switch fold {
        case .folded: lead += look.signs.folded
        case .unfolded: lead += look.signs.unfolded
        case nil: lead += " "
        }
        if isTag(scope) { lead += look.signs.tag }
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

    /// A row that is not a list of items, with its state at the right.
    private func render(
        _ name: String,
        _ style: Style,
        state: String,
        into canvas: inout Canvas
    ) {
        let width = canvas.columns
        let stateWidth = state.isEmpty ? 0 : DisplayWidth.of(state) + 2
        canvas.put(
            " \(name)",
            at: Position(row: 0, column: 0),
            width: max(0, width - stateWidth),
            style: style
        )
        guard stateWidth > 0, stateWidth < width else { return }
        canvas.put(
            state,
            at: Position(row: 0, column: width - stateWidth + 1),
            style: look[.dim]
        )
    }

    private func isTag(_ scope: Scope) -> Bool {
        if case .tag = scope { return true }
        return false
    }

    private var countRole: Role {
        if hasProblem { return .warning }
        if case .smart(let list)? = line.scope, list.isUrgent { return .overdue }
        return .dim
    }
}
