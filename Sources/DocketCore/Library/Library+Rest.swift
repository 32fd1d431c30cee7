import ObjectGraph

extension Library {
    /// How many bytes of what was saved lie beside the store's file.
    ///
    /// Cost: one look at the file system.
    package var logSize: Int { context.coordinator.openStores.first?.logSize ?? 0 }

    /// Brings everything that was saved into the store's one file; to be called when nothing is
    /// going on.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced`` if the file is
    ///   not the library's own any more; what readers or a full disk put off is not an error.
    package func rest() throws {
        do {
            try context.coordinator.checkpoint()
        } catch let error as ObjectGraphError where error.code != .storeReplaced {
            return
        }
    }
}
