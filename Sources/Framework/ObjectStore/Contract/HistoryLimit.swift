public import FoundationEssentials

/// How much history a store keeps.
public struct HistoryLimit: Sendable {
    /// Transactions before this date may be deleted; `nil` for any age.
    public var keepsSince: Date?
    /// Transactions up to this number may be deleted; `nil` for any number.
    public var keepsAfter: Int64?
    /// The greatest number of bytes of changes to keep, counted from the newest; `nil` for any
    /// number.
    public var keepsBytes: Int?
    /// The greatest number of commands that undo can reach; `nil` for any number.
    public var mostSteps: Int?
    /// How many of the newest undoable commands stay, whatever their age and size.
    public var keepsSteps: Int

    /// By default nothing is too old or too large, and the newest 100 commands stay.
    public init(keepsSince: Date? = nil, keepsBytes: Int? = nil, keepsSteps: Int = 100) {
        self.keepsSince = keepsSince
        self.keepsBytes = keepsBytes
        self.keepsSteps = keepsSteps
    }
}

/// How far undo reaches back in a store.
public struct HistoryExtent: Sendable, Equatable {
    /// How many commands can be undone.
    public var steps: Int
    /// When the oldest of them was done; `nil` if there is none.
    public var oldest: Date?

    /// By default none.
    public init(steps: Int = 0, oldest: Date? = nil) {
        self.steps = steps
        self.oldest = oldest
    }
}
