package import FoundationEssentials

/// What readers and writers need to know of the world.
package struct ExchangeSettings: Sendable {
    /// The moment of import, for items that do not say when they were made.
    package var dates: DateContext
    /// Identities for items that bring none.
    package var makeUUID: @Sendable () -> UUID

    package init(dates: DateContext, makeUUID: @escaping @Sendable () -> UUID = UUIDText.random) {
        self.dates = dates
        self.makeUUID = makeUUID
    }
}

/// Reads items one at a time; never fails as a whole, never traps.
package protocol RecordReader {
    /// The next item or the next thing wrong; `nil` at the end.
    mutating func next() -> ImportEvent?
}

/// Writes items one at a time.
package protocol RecordWriter {
    mutating func write(_ record: ItemRecord)
    /// Ends the document; nothing is written after it.
    mutating func finish()
    /// Hands over the bytes written so far and forgets them, for writing a large export in parts.
    mutating func drain() -> [UInt8]
    /// What the format could not hold.
    var report: ExchangeReport { get }
}

package enum ImportEvent: Sendable {
    case record(ImportedRecord)
    case failure(ImportProblem)
}

package struct ImportedRecord: Sendable {
    package var record: ItemRecord
    /// The line on which it began, counted from 1.
    package var line: Int
    /// Sentences about what was changed on the way in.
    package var remarks: [String]
    /// Whether the file says when the item was last changed.
    package var isStamped: Bool
    /// Whether the file says which item it is, so that a later import meets it again.
    package var isNamed: Bool
    /// Whether the file says when the item was made.
    package var isDated: Bool

    package init(
        record: ItemRecord,
        line: Int,
        remarks: [String] = [],
        isStamped: Bool = false,
        isNamed: Bool = true,
        isDated: Bool = true
    ) {
        self.isDated = isDated
        self.record = record
        self.line = line
        self.remarks = remarks
        self.isStamped = isStamped
        self.isNamed = isNamed
    }
}

/// An item that could not be read.
package struct ImportProblem: Hashable, Sendable {
    package var line: Int
    /// A whole sentence.
    package var message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}
