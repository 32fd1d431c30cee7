import FoundationEssentials
package import ObjectModel

// One change of the history as bytes: entries of a code, the number of a property's name, and the
// data that the code needs. Integers are variable-length, signed ones zigzag.

/// The meaning of an entry of a change.
package enum HistoryEntry: UInt8 {
    case update = 1
    case deletedValue = 2
    case addedMembers = 3
    case removedMembers = 4
    case oldOrder = 5
    case newOrder = 6
    /// Nothing follows: the values were erased.
    case erased = 7
}

package enum HistoryValueForm: UInt8 {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case bytes = 4
    case reference = 5
}

package struct HistoryBytesWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func entry(_ entry: HistoryEntry, name: Int64) {
        bytes.append(entry.rawValue)
        number(UInt64(bitPattern: name))
    }

    package mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    package mutating func reference(entity: Int64, key: Int64) {
        bytes.append(HistoryValueForm.reference.rawValue)
        number(UInt64(bitPattern: entity))
        number(UInt64(bitPattern: key))
    }

    package mutating func member(entity: Int64, key: Int64) {
        number(UInt64(bitPattern: entity))
        number(UInt64(bitPattern: key))
    }

    /// A value other than a reference, in the form of the column.
    ///
    /// - Throws: what a transformer throws.
    package mutating func value(_ value: GraphValue, _ column: RowLayout.Column) throws {
        switch (column.kind, value) {
        case (_, .null): bytes.append(HistoryValueForm.null.rawValue)
        case (.integer, .int(let number)): integer(number)
        case (.integer, .bool(let flag)): integer(flag ? 1 : 0)
        case (.real, .double(let number)): real(number)
        case (.real, .date(let date)): real(date.timeIntervalSinceReferenceDate)
        case (.text, .string(var text)):
            text.withUTF8 { payload(.text, UnsafeRawBufferPointer($0)) }
        case (.text, _):
            try RowWriter.encoded(value, column).withUnsafeBytes { payload(.text, $0) }
        case (.bytes, .uuid(let uuid)) where column.type == .uuid:
            withUnsafeBytes(of: uuid.uuid) { payload(.bytes, $0) }
        case (.bytes, _):
            try RowWriter.encoded(value, column).withUnsafeBytes { payload(.bytes, $0) }
        default: bytes.append(HistoryValueForm.null.rawValue)
        }
    }

    /// A value that ``HistoryBytesReader/rawValue()`` has read.
    package mutating func copy(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    /// A text with exactly the bytes of its column.
    package mutating func text(_ data: UnsafeRawBufferPointer) { payload(.text, data) }

    /// A value with exactly the bytes of its column.
    package mutating func raw(_ data: UnsafeRawBufferPointer) { payload(.bytes, data) }

    private mutating func integer(_ number: Int64) {
        bytes.append(HistoryValueForm.integer.rawValue)
        signed(number)
    }

    private mutating func real(_ number: Double) {
        bytes.append(HistoryValueForm.real.rawValue)
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func payload(_ form: HistoryValueForm, _ data: UnsafeRawBufferPointer) {
        bytes.append(form.rawValue)
        number(UInt64(data.count))
        bytes.append(contentsOf: data)
    }
}

/// A value of a change as it is stored.
package enum HistoryRawValue {
    /// The form and what follows it.
    case bytes([UInt8])
    /// The number of the entity's name, and the key.
    case reference(entity: Int64, key: Int64)
}

/// Reads the bytes of a change; damaged bytes end it.
package struct HistoryBytesReader {
    // Safety: whoever makes a reader keeps the bytes while it reads.
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package mutating func entry() -> (entry: HistoryEntry, name: Int64)? {
        guard position < bytes.count, let entry = HistoryEntry(rawValue: bytes[position]) else {
            return nil
        }
        position += 1
        return (entry, Int64(bitPattern: number()))
    }

    package mutating func number() -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return result
    }

    /// A value in the type of its attribute; for a reference the result of `reference`.
    ///
    /// Without a column (the model does not have the property any more) the plain form is returned.
    package mutating func value(
        _ column: RowLayout.Column?,
        reference: (_ entity: Int64, _ key: Int64) throws -> GraphValue
    ) rethrows -> GraphValue {
        guard position < bytes.count, let form = HistoryValueForm(rawValue: bytes[position]) else {
            position = bytes.count
            return .null
        }
        position += 1
        switch form {
        case .null: return .null
        case .integer:
            let zigzag = number()
            let value = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
            return column?.type == .boolean ? .bool(value != 0) : .int(value)
        case .real:
            guard position + 8 <= bytes.count else { return .null }
            let pattern = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
            let value = Double(bitPattern: UInt64(littleEndian: pattern))
            return column?.type == .date
                ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
        case .text: return RowReader.text(payload(), as: column?.type)
        case .bytes:
            if let folder = column?.externalFolder {
                return ExternalData.value(payload(), in: folder)
            }
            return RowReader.data(
                payload(),
                as: column?.type,
                transformer: column?.transformerName
            )
        case .reference:
            let entity = Int64(bitPattern: number())
            return try reference(entity, Int64(bitPattern: number()))
        }
    }

    /// A value as it is stored, without a look at its type.
    package mutating func rawValue() -> HistoryRawValue {
        let start = position
        guard position < bytes.count, let form = HistoryValueForm(rawValue: bytes[position]) else {
            position = bytes.count
            return .bytes([HistoryValueForm.null.rawValue])
        }
        position += 1
        switch form {
        case .null: break
        case .integer: _ = number()
        case .real: position = min(position + 8, bytes.count)
        case .text, .bytes: _ = payload()
        case .reference:
            let entity = Int64(bitPattern: number())
            return .reference(entity: entity, key: Int64(bitPattern: number()))
        }
        return .bytes([UInt8](bytes[start..<position]))
    }

    package mutating func members() -> [(entity: Int64, key: Int64)] {
        let count = Int(clamping: number())
        var result: [(Int64, Int64)] = []
        while result.count < count, position < bytes.count {
            let entity = Int64(bitPattern: number())
            result.append((entity, Int64(bitPattern: number())))
        }
        return result
    }

    private mutating func payload() -> UnsafeRawBufferPointer {
        let count = min(Int(clamping: number()), bytes.count - position)
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}
