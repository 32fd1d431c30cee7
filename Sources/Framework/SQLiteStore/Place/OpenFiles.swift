import CSQLite

extension SQLiteStore {
    /// Whether a file is a store that this process has open, or the index of its log.
    ///
    /// Such a file must not be opened by other means: the system drops all locks of a process on a
    /// file when the process closes any descriptor of it. Another process would then take the store
    /// for closed, and remove its log.
    ///
    /// Cost: one look at each open store's file.
    public static func isOpenHere(_ path: String) -> Bool { csqlite_is_open(path) }
}
