import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

// Values that an exchange has not taken. What keys do with them is an ordinary step.
extension Workspace {
    /// After the items in conflict have changed: what searches for them finds others.
    func noteConflicts() {
        search.forgetNames()
        lists.markStale()
        markSearchStale()
    }

    /// Why there is nothing to decide.
    var noConflict: String? {
        if let reason = noItem { return reason }
        let ids = items.targetIDs
        if ids.contains(where: conflicts.contains) { return nil }
        return ids.count > 1
            ? localized("None of the marked items is in conflict.")
            : localized("This item is not in conflict: every value of a server was taken.")
    }

    /// Swaps or forgets the values of the marked items, or the one that the selected item shows.
    func settleConflicts(by decision: ConflictDecision) throws {
        var chosen: [ConflictedObject] = []
        if items.targetMarks.isEmpty, let item = items.selected {
            chosen = try [conflicts.chosen(of: item)].compactMap(\.self)
        } else {
            let marked = try items.targets(localized("to settle together"))
            chosen = try library.conflicts(of: marked)
        }
        let step = try library.settle(chosen, by: decision)
        items.clearTargets()
        conflicts.markStale()
        tell(step, unchanged: "The conflict is settled already.")
    }

    /// Shows the next value of the selected item, or goes to the next item that has one.
    func showNextConflict() throws {
        if let item = items.selected, conflicts.contains(item.objectID) {
            if try shownConflict != item.objectID || conflicts.advance(in: item) {
                return try tellConflict(of: item)
            }
        }
        let lines = items.lines
        let start = items.list.selection ?? -1
        let (above, below) = (lines.indices.prefix(start + 1), lines.indices.dropFirst(start + 1))
        let order = Array(below) + Array(above)
        guard let row = order.first(where: { lines[$0].id.map(conflicts.contains) ?? false }),
            let id = lines[row].id
        else {
            return tell(
                conflicts.count == 0
                    ? "Nothing is in conflict."
                    : "Nothing here is in conflict; is:conflict finds \(Phrase(conflicts.count, "item"))."
            )
        }
        items.select(id)
        if let item = try library.existing([id]).first { try tellConflict(of: item) }
    }

    private func tellConflict(of item: Item) throws {
        guard let current = try conflicts.current(of: item) else { return }
        shownConflict = item.objectID
        let format = DateFormat(context: library.clock())
        let conflict = current.conflict
        let (lines, left) = try conflicts.lines(current.index, of: item)
        let more = left + lines.count - 1
        let rest = more > 0 ? localized(" and \(Phrase(more, "more line"))") : ""
        let number = current.count > 1 ? " (\(current.index + 1)/\(current.count))" : ""
        let line = DisplayWidth.singleLine(lines.first ?? "")
        let value = DisplayWidth.truncate(line, to: 120, symbols: look.symbols)
        messages.show(
            "\(conflict.fieldInWords)\(number): \(value)\(rest) (\(source(of: conflict, format)))"
                + conflictKeys,
            .info,
            at: .now,
            staysUntilKey: true
        )
    }

    /// Whose value it is and when it was given: `home, 5 min ago`.
    private func source(of conflict: ItemConflict, _ format: DateFormat) -> String {
        let owner = DisplayWidth.singleLine(conflict.owner)
        return conflict.stamp.timeIntervalSince1970 < 1
            ? owner : "\(owner), \(format.ago(conflict.stamp))"
    }

    /// ` · Cs takes it · Cd forgets it`.
    private var conflictKeys: String {
        let keys: [(String, Phrase)] = [
            ("conflict.swap", "takes it"), ("conflict.dismiss", "forgets it"),
        ]
        let parts = keys.compactMap { id, words -> String? in
            let key = self.key(id)
            return key.isEmpty || library.isReadOnly ? nil : "\(key) \(localized(words))"
        }
        return parts.map { " \(look.signs.separator) \($0)" }.joined()
    }

    // MARK: The detail pane

    /// How many of an item are shown.
    private static let mostConflicts = 20

    /// The values of an item that were not taken.
    func conflictLines(of item: Item, columns: Int) -> [RichLine] {
        guard conflicts.contains(item.objectID),
            let all = try? conflicts.conflicts(of: item), !all.isEmpty,
            let current = try? conflicts.current(of: item)
        else { return [] }
        let format = DateFormat(context: library.clock())
        var lines: [RichLine] = []
        for (index, conflict) in all.prefix(Self.mostConflicts).enumerated() {
            let isCurrent = index == current.index
            guard let (values, more) = try? conflicts.lines(index, of: item) else { continue }
            let lead = "\(look.signs.conflict) \(conflict.fieldInWords): "
            for (place, value) in values.enumerated() {
                var runs = [RichLine.Run(text: DisplayWidth.singleLine(value), role: .text)]
                let role: Role = isCurrent ? .warning : .dim
                runs.insert(.init(text: place == 0 ? lead : "  ", role: role), at: 0)
                lines += RichWrap.wrap(runs, columns: columns)
            }
            if more > 0 {
                lines.append(.plain("  " + localized("\(Phrase(more, "more line"))"), .dim))
            }
            let keys = isCurrent ? conflictKeys : ""
            let rest = [RichLine.Run(text: "  \(source(of: conflict, format))\(keys)", role: .dim)]
            lines += RichWrap.wrap(rest, columns: columns)
        }
        let left = all.count - Self.mostConflicts
        if left > 0 { lines.append(.plain(localized("  and \(left) more"), .dim)) }
        return lines
    }
}
