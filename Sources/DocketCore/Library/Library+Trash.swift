extension Library {
    /// Puts items into the trash; nothing is deleted.
    package func trash(_ items: [Item]) throws {
        let present = items.filter { $0.trashed == nil }
        for item in present { item.trashed = now }
        try commit(StepName.of("Trash", present))
    }

    /// Takes items out of the trash.
    package func restore(_ items: [Item]) throws {
        let gone = items.filter { $0.trashed != nil }
        for item in gone { item.trashed = nil }
        try commit(StepName.of("Restore", gone))
    }
}
