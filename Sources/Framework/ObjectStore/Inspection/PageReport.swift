import ObjectModel

/// What the checksums of a file's pages say about it.
///
/// A new SQLite store keeps a checksum in each page. A page that does not have its checksum was
/// written by a program that keeps none, such as `sqlite3`, which is allowed; or it is damaged.
public struct PageReport: Hashable, Sendable {
    /// Some pages of a file.
    public struct Pages: Hashable, Sendable {
        public var count = 0
        /// The numbers of the first of them, from 1.
        public var numbers: [Int] = []

        package init() {}
    }

    /// Whether the pages have room for checksums; without, there is nothing to report.
    public var isChecked = false
    /// Pages with one flipped bit that were read with its right value.
    public var corrected = Pages()
    /// Pages that differ from their checksum in one bit.
    ///
    /// Nearly always it has flipped; but another
    /// program may have changed just a flag, so they are read as they are.
    public var differingInOneBit = Pages()
    /// Other pages without their checksum.
    public var unverified = Pages()

    public init() {}

    /// How many pages may be other than this framework wrote them.
    public var doubtfulCount: Int { differingInOneBit.count + unverified.count }

    /// Refuses to make a store of pages that may be damaged: it would keep them as sound ones.
    ///
    /// - Parameter name: that of the store they were read from.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile``.
    package func checkForMigration(_ name: String) throws {
        if doubtfulCount == 0 { return }
        let numbers = (differingInOneBit.numbers + unverified.numbers).sorted().prefix(5)
        let list = numbers.map { "\($0)" }.joined(separator: ", ")
        throw ObjectGraphError(
            .damagedFile,
            "The store \"\(name)\" has \(doubtfulCount) page\(doubtfulCount == 1 ? "" : "s") that may be"
                + " damaged (number \(list)); a migration would take them for sound.",
            recovery: "Nothing was changed. Repair the pages of the store, then migrate it."
        )
    }
}
