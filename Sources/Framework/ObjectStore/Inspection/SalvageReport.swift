public import ObjectModel

/// What was read of a damaged store.
public struct SalvageReport: Hashable {
    /// How many objects were read.
    public var objects = 0
    /// How many rows are in pages that can be read, but not readable themselves.
    public var lostRows = 0
    /// How many rows lack a part of a long value.
    public var cutRows = 0
    /// How many rows could not be taken over, because a value that must be unique was there already.
    public var refusedRows = 0
    /// How many pages with rows, or with the ways to them, are lost.
    public var lostPages = 0
    /// How many pages had a flipped bit, which was corrected.
    public var correctedPages = 0
    /// The tables of which nothing was found.
    public var lostTables: [String] = []
    /// Whether the list of tables could be read.
    public var hasSchema = true
    /// What was wrong with the rows that were read; among them the objects that the history knows, and
    /// that were lost (``StoreFinding/Kind/lostRow``).
    public var findings: [StoreFinding] = []
    /// What is wrong with them still.
    public var remaining: [StoreFinding] = []

    package init() {}

    /// The first of these, with what the history still knows of them.
    public var lost: [LostObject] = []

    /// An object that the history knows, but the rows do not.
    public struct LostObject: Hashable {
        public var entity: String
        public var key: Int64
        /// The values that were recorded last; those that never changed are not known.
        public var values: [String: GraphValue]

        package init(entity: String, key: Int64, values: [String: GraphValue]) {
            self.entity = entity
            self.key = key
            self.values = values
        }
    }

    /// How many objects have ``lost`` at most.
    public static let mostLost = 1000

    /// How many objects the history knows that were not found.
    public var lostObjects: Int {
        findings.filter { $0.kind == .lostRow }.reduce(0) { $0 + $1.count }
    }
}
