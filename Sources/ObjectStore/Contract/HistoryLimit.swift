package import FoundationEssentials

/// How much history a store keeps.
package struct HistoryLimit: Sendable {
    /// Transactions before this may go; `nil` for any age.
    package var keepsSince: Date?
    /// Transactions up to this one may go; `nil` for any number.
    package var keepsAfter: Int64?
    /// The most bytes of changes to keep, counted from the newest; `nil` for any number.
    package var keepsBytes: Int?
    /// The newest commands that undo can reach stay, whatever their age and size.
    package var keepsSteps: Int

    package init(keepsSince: Date? = nil, keepsBytes: Int? = nil, keepsSteps: Int = 100) {
        self.keepsSince = keepsSince
        self.keepsBytes = keepsBytes
        self.keepsSteps = keepsSteps
    }
}
