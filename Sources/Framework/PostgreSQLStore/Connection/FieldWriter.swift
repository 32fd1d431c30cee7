import CPostgreSQL
import FoundationEssentials
import ObjectModel
import ObjectStore

/// The types of parameters, by their numbers in PostgreSQL.
enum ServerType: UInt32 {
    case integer = 20
    case real = 701
    case text = 25
    case data = 17
    case integers = 1016

    init(_ kind: RowLayout.Kind) {
        self =
            switch kind {
            case .integer, .reference: .integer
            case .real: .real
            case .text: .text
            case .bytes: .data
            }
    }
}

/// Values in the binary form of PostgreSQL: the arguments of a statement, or rows for COPY.
///
/// Each is a length, -1 for NULL, and its bytes.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []
    /// Where the bytes of each argument are; none for rows of COPY.
    private(set) var offsets: [Int] = []
    private(set) var lengths: [Int32] = []
    private let isCopy: Bool

    init() { isCopy = false }

    /// Rows for COPY.
    init(copying count: Int) {
        isCopy = true
        bytes.reserveCapacity(64 * count)
        bytes += "PGCOPY\n".utf8
        bytes += [0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// Begins a row of COPY.
    mutating func beginRow(_ fields: Int) { append(UInt16(truncatingIfNeeded: fields)) }

    /// Ends the rows of COPY.
    mutating func end() { append(UInt16.max) }

    mutating func null() { begin(-1) }

    mutating func add(_ number: Int64) {
        begin(8)
        append(UInt64(bitPattern: number))
    }

    mutating func add(_ number: Double) {
        begin(8)
        append(number.bitPattern)
    }

    mutating func add(_ text: String) { text.withBytes { add(text: $0) } }

    /// Text in UTF-8; what PostgreSQL cannot hold is escaped.
    mutating func add(text: UnsafeRawBufferPointer) {
        guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count > 0
        else { return begin(0) }
        let length = cpg_escaped_length(source, text.count)
        begin(Int32(clamping: length))
        if length == text.count {
            bytes.append(contentsOf: text)
        } else {
            bytes += [UInt8](unsafeUninitializedCapacity: length) { target, count in
                if let target = target.baseAddress { cpg_escape(source, text.count, target) }
                count = length
            }
        }
    }

    mutating func add(data: UnsafeRawBufferPointer) {
        begin(Int32(clamping: data.count))
        bytes.append(contentsOf: data)
    }

    mutating func add(_ numbers: [Int64]) {
        begin(Int32(clamping: 20 + 12 * numbers.count))
        // One dimension, no NULL, elements of the type BIGINT, from the index 1 on.
        for word: UInt32 in [1, 0, ServerType.integer.rawValue, UInt32(numbers.count), 1] {
            append(word)
        }
        for number in numbers {
            append(UInt32(8))
            append(UInt64(bitPattern: number))
        }
    }

    mutating func add(_ value: SQLValue) {
        switch value {
        case .null: null()
        case .integer(let number): add(number)
        case .real(let number): add(number)
        case .text(let text): add(text)
        case .blob(let data): data.withUnsafeBytes { add(data: $0) }
        }
    }

    /// A value that is not a reference, in the form of its column.
    ///
    /// - Throws: what a transformer throws.
    mutating func add(_ value: GraphValue, _ column: RowLayout.Column) throws {
        switch (column.kind, value) {
        case (_, .null): null()
        case (.integer, .int(let number)): add(number)
        case (.integer, .bool(let flag)): add(flag ? Int64(1) : 0)
        case (.real, .double(let number)) where !number.isNaN: add(number)
        case (.real, .date(let date)) where !date.timeIntervalSinceReferenceDate.isNaN:
            add(date.timeIntervalSinceReferenceDate)
        case (.text, .string(let text)): add(text)
        case (.text, .decimal(let number)) where number.isNaN: null()
        case (.text, _): try RowWriter.encoded(value, column).withUnsafeBytes { add(text: $0) }
        case (.bytes, .uuid(let uuid)) where column.type == .uuid:
            withUnsafeBytes(of: uuid.uuid) { add(data: $0) }
        case (.bytes, _): try RowWriter.encoded(value, column).withUnsafeBytes { add(data: $0) }
        default: null()
        }
    }

    private mutating func begin(_ length: Int32) {
        if isCopy {
            append(UInt32(bitPattern: length))
        } else {
            lengths.append(length)
            offsets.append(bytes.count)
        }
    }

    private mutating func append<Word: FixedWidthInteger>(_ word: Word) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension SQLValue {
    var serverType: ServerType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text, .null: .text
        case .blob: .data
        }
    }
}
