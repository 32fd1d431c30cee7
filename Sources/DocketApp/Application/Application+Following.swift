package import DocketCore
import ObjectGraph

extension Application {
    /// Merges the saves of other processes from now on, whenever the terminal is woken.
    ///
    /// Saves of this program's own contexts are recognised by the numbers of their transactions.
    package func follow(_ library: Library) {
        let own = OwnTransactions(library)
        var token: Int64?
        // No save is missed between the opening and this point: merging known saves again changes
        // nothing.
        token = try? library.latestTransaction()
        externalChanges = {
            let from: Int64
            if let token { from = token } else { from = try library.latestTransaction() }
            let merged = try library.mergeChanges(after: from, except: own.take())
            token = merged.token
            guard merged.changed > 0 else { return [] }
            return merged.steps.isEmpty ? ["changes"] : merged.steps
        }
    }
}

extension Application {
    func takeExternalChanges() {
        do {
            guard let steps = try externalChanges?(), let last = steps.last else { return }
            isStale = true
            workspace.items.isStale = true
            let more = steps.count > 1 ? " and \(steps.count - 1) more" : ""
            workspace.tell("Changed elsewhere: \(last)\(more)")
        } catch {
            isStale = true
            workspace.tell(error)
        }
    }
}
