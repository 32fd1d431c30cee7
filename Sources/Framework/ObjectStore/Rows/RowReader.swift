import FoundationEssentials
public import ObjectModel

/// Reads values out of a cached row.
///
/// Safety: whoever makes a reader keeps the cache, and adds no row to it, while it reads.
public struct RowReader {
    /// The bytes of the row.
    public let blob: UnsafeRawPointer
    /// Where its columns are.
    public let layout: RowLayout

    @inline(__always)
    public init(_ blob: UnsafeRawPointer, _ layout: RowLayout) {
        self.blob = blob
        self.layout = layout
    }

    /// The bytes before the first column: header and null mask.
    @inline(__always)
    public static func headerSize(columns: Int) -> Int { 8 + 8 * max(1, (columns + 63) / 64) }

    /// The version of the row.
    package var version: Int64 { Int64(blob.load(fromByteOffset: 4, as: UInt32.self)) }

    @inline(__always)
    public func isNull(_ column: Int) -> Bool {
        blob.load(fromByteOffset: 8 + 8 * (column >> 6), as: UInt64.self)
            & (1 << UInt64(column & 63)) != 0
    }

    @inline(__always)
    private func offset(_ column: Int) -> Int {
        RowReader.headerSize(columns: layout.columns.count) + 8 * column
    }

    /// The value of a column that holds an integer.
    public func integer(_ column: Int) -> Int64 {
        blob.load(fromByteOffset: offset(column), as: Int64.self)
    }

    /// The value of a column that holds a floating point number.
    public func real(_ column: Int) -> Double {
        blob.load(fromByteOffset: offset(column), as: Double.self)
    }

    /// The bytes of a column that holds text or data.
    public func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let word = blob.load(fromByteOffset: offset(column), as: UInt64.self)
        return UnsafeRawBufferPointer(start: blob + Int(word & 0xffff_ffff), count: Int(word >> 32))
    }

    /// The value of a column, in the type of its attribute.
    ///
    /// Data that its type cannot hold, from another program, reads as `nil`.
    public func value(_ column: Int) -> GraphValue {
        if isNull(column) { return .null }
        // Matched, not compared: `==` of another module's enumeration is a call.
        switch (layout.columns[column].kind, layout.columns[column].type) {
        case (.integer, .boolean): return .bool(integer(column) != 0)
        case (.integer, _): return .int(integer(column))
        case (.real, .date): return .date(Date(timeIntervalSinceReferenceDate: real(column)))
        case (.real, _): return .double(real(column))
        case (.reference, _):
            return .objectID(ManagedObjectID(raw: UInt64(bitPattern: integer(column))))
        case (.text, let type):
            return RowReader.text(bytes(column), as: type)
        case (.bytes, let type):
            let description = layout.columns[column]
            if let folder = description.externalFolder {
                return ExternalData.value(bytes(column), in: folder)
            }
            return RowReader.data(
                bytes(column),
                as: type,
                transformer: description.transformerName
            )
        }
    }

    /// Fills an object's slots.
    ///
    /// A slot that is not in the row, such as a transient attribute, gets its default value.
    public func realise(into slots: UnsafeMutablePointer<GraphValue>) {
        for slot in layout.columnBySlot.indices {
            let column = layout.columnBySlot[slot]
            (slots + slot).initialize(to: column < 0 ? layout.defaults[slot] : value(column))
        }
    }

    /// The value of stored text in the type of its attribute.
    public static func text(
        _ bytes: UnsafeRawBufferPointer,
        as type: AttributeType?
    ) -> GraphValue {
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case .decimal: return Decimal(storedText: text).map { .decimal($0) } ?? .null
        case .uri: return URL(string: text).map { .url($0) } ?? .null
        case .objectID: return GraphValue(storedID: text)
        default: return .string(text)
        }
    }

    /// The value of stored bytes in the type of their attribute.
    public static func data(
        _ bytes: UnsafeRawBufferPointer,
        as type: AttributeType?,
        transformer: String?
    ) -> GraphValue {
        switch type {
        case .uuid:
            guard bytes.count == 16 else { return .null }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .transformable:
            return ValueTransformers.value(for: Data(bytes), transformer: transformer)
        default:
            return .data(Data(bytes))
        }
    }
}
