public import CivilTime
public import FoundationEssentials

/// The settings of readers and writers.
public struct ExchangeSettings: Sendable {
    /// The moment of import, for items without a time of creation.
    public var dates: DateContext
    /// Creates identities for items that have none.
    public var makeUUID: @Sendable () -> UUID
    /// Whether writers give each item an identity, so that it is found again after any edit of the
    /// document.
    public var namesItems: Bool

    public init(
        dates: DateContext,
        makeUUID: @escaping @Sendable () -> UUID = UUIDText.random,
        namesItems: Bool = false
    ) {
        self.dates = dates
        self.makeUUID = makeUUID
        self.namesItems = namesItems
    }
}

/// Reads items one at a time.
///
/// It never fails as a whole, and never traps.
public protocol RecordReader {
    /// The next item or the next error; `nil` at the end.
    mutating func next() -> ImportEvent?
}

/// Writes items one at a time.
public protocol RecordWriter {
    /// Looks at items that will come, in their order, for the beginning of the document that one has
    /// kept; called before the first is written.
    mutating func expect(_ records: [ItemRecord])
    mutating func write(_ record: ItemRecord)
    /// Writes a smart list; a format without them leaves it out.
    mutating func write(_ list: SmartListRecord)
    /// Ends the document; nothing is written after it.
    mutating func finish()
    /// Returns the bytes so far and removes them, for writing a large export in parts.
    mutating func drain() -> [UInt8]
    /// The parts of the items that the format cannot hold.
    var report: ExchangeReport { get }
}

extension RecordWriter {
    public mutating func expect(_ records: [ItemRecord]) {}
    public mutating func write(_ list: SmartListRecord) {}
}

public enum ImportEvent: Sendable {
    case record(ImportedRecord)
    case smartList(SmartListRecord, line: Int)
    /// Something of the document itself that is not imported.
    case remark(ImportProblem)
    case failure(ImportProblem)
}

public struct ImportedRecord: Sendable {
    public var record: ItemRecord
    /// The line on which it began, counted from 1.
    public var line: Int
    /// Sentences about changes during reading.
    public var remarks: [String]
    /// Whether the file has the time of the item's last change.
    public var isStamped: Bool
    /// Whether the file has the item's identity, so that a later import finds the item again.
    public var isNamed: Bool
    /// Whether the file has the time of the item's creation.
    public var isDated: Bool

    public init(
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
public struct ImportProblem: Error, Hashable, Sendable {
    public var line: Int
    /// A whole sentence.
    public var message: String
    /// Whether it is one of the whole document, of which nothing more is read.
    public var isOfDocument: Bool

    public init(line: Int, message: String, isOfDocument: Bool = false) {
        self.line = line
        self.message = message
        self.isOfDocument = isOfDocument
    }
}

extension ImportProblem {
    /// What is wrong with a document whose text is in another encoding; nothing of it is guessed.
    public static func notUTF8(line: Int) -> ImportProblem {
        ImportProblem(
            line: line,
            message: "The file is not UTF-8; if it is Latin-1 or Windows-1252, convert it first:"
                + " iconv -f WINDOWS-1252 -t UTF-8.",
            isOfDocument: true
        )
    }

    /// What is wrong with a document that is no text at all; `nil` if it is text.
    ///
    /// - Parameter bytes: the beginning of the document.
    public init?(ifNotText bytes: some Collection<UInt8>) {
        let conversion = "iconv -f UTF-16 -t UTF-8."
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            self.init(
                line: 1,
                message: "The file is UTF-16; convert it first: \(conversion)",
                isOfDocument: true
            )
        } else if bytes.contains(0) {
            self.init(
                line: 1,
                message:
                    "The file is not text: it has bytes that are 0. If it is UTF-16, convert it"
                    + " first: \(conversion)",
                isOfDocument: true
            )
        } else {
            return nil
        }
    }
}
