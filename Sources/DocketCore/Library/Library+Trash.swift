extension Library {
    /// Puts items into the trash; nothing is deleted.
    @discardableResult
    package func trash(_ items: [Item]) throws -> SavedStep? {
        try perform(.trash, on: items)
    }

    /// Restores items from the trash.
    @discardableResult
    package func restore(_ items: [Item]) throws -> SavedStep? {
        try perform(.restore, on: items)
    }
}
