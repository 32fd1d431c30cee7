extension Library {
    /// Puts items into the trash; nothing is deleted.
    ///
    /// - Returns: those that were not in it.
    @discardableResult
    package func trash(_ items: [Item]) throws -> [Item] {
        let present = try present(items).filter { $0.trashed == nil }
        for item in present { item.trashed = now }
        try commit(StepName.of("Trash", present))
        return present
    }

    /// Takes items out of the trash.
    ///
    /// - Returns: those that were in it.
    @discardableResult
    package func restore(_ items: [Item]) throws -> [Item] {
        let gone = try present(items).filter { $0.trashed != nil }
        for item in gone { item.trashed = nil }
        try commit(StepName.of("Restore", gone))
        return gone
    }
}
