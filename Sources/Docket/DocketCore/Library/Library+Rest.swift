import ObjectGraph

extension Library {
    /// The number of saved bytes in the log beside the store's file.
    ///
    /// Cost: one call to the file system.
    public var logSize: Int { context.coordinator.openStores.first?.logSize ?? 0 }

    /// Moves all saved data into the store's single file; call it when the program is idle.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced`` if the file
    ///   is not the library's own any more. A delay because of readers or a full disk is not an
    ///   error.
    public func rest() throws {
        do {
            try context.coordinator.checkpoint()
        } catch let error as ObjectGraphError where error.code != .storeReplaced {
            return
        }
    }
}
