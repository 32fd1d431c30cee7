package import FoundationEssentials

/// How much history a store keeps.
package struct HistoryLimit: Sendable {
    /// Transactions before this date may be deleted; `nil` for any age.
    package var keepsSince: Date?
    /// Transactions up to this number may be deleted; `nil` for any number.
    package var keepsAfter: Int64?
    /// The greatest number of bytes of changes to keep, counted from the newest; `nil` for any
    /// number.
    package var keepsBytes: Int?
    /// The greatest number of commands that undo can reach; `nil` for any number.
    package var mostSteps: Int?
    /// How many of the newest undoable commands stay, whatever their age and size.
    package var keepsSteps: Int

    package init(keepsSince: Date? = nil, keepsBytes: Int? = nil, keepsSteps: Int = 100) {
        self.keepsSince = keepsSince
        self.keepsBytes = keepsBytes
        self.keepsSteps = keepsSteps
    }
}

/// How far undo reaches back in a store.
package struct HistoryExtent: Sendable, Equatable {
    /// How many commands can be undone.
    package var steps: Int
    /// When the oldest of them was done; `nil` if there is none.
    package var oldest: Date?

    package init(steps: Int = 0, oldest: Date? = nil) {
        self.steps = steps
        self.oldest = oldest
    }
}
