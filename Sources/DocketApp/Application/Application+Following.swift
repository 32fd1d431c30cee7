package import DocketCore

extension Application {
    /// Takes over what other processes save from now on, whenever the terminal is woken.
    package func follow(_ library: Library) {
        var token: Int64?
        // What was read at the start is newer than this or as new; a merge of it changes nothing.
        externalChanges = {
            let from: Int64
            if let token { from = token } else { from = try library.latestTransaction() }
            let merged = try library.mergeChanges(after: from)
            token = merged.token
            return merged.changed > 0 ? merged.steps + (merged.steps.isEmpty ? ["import"] : []) : []
        }
        token = try? library.latestTransaction()
    }
}
