package import FoundationEssentials
package import ObjectModel

/// Writes an object's slots as a cached row, so that what was just saved need not be read again.
package enum RowWriter {
    /// Appends or replaces the row of an object.
    ///
    /// `permanent` turns an ID that a slot still holds in its temporary form into the permanent one.
    package static func store(
        _ slots: UnsafePointer<Value>,
        version: Int64,
        id: ManagedObjectID,
        layout: RowLayout,
        in cache: RowCache,
        resolving permanent: (ManagedObjectID) -> ManagedObjectID
    ) {
        let count = layout.columns.count
        let fixed = RowReader.headerSize(columns: count) + 8 * count
        var size = fixed
        for column in layout.columns where column.kind == .text || column.kind == .bytes {
            size += byteCount(slots[column.slot], column)
        }
        let blob = cache.reserve(size + 8)
        blob.storeBytes(of: UInt32(truncatingIfNeeded: version), toByteOffset: 4, as: UInt32.self)
        for word in 0..<max(1, (count + 63) / 64) {
            blob.storeBytes(of: 0, toByteOffset: 8 + 8 * word, as: UInt64.self)
        }
        var end = fixed
        for (index, column) in layout.columns.enumerated() {
            let at = RowReader.headerSize(columns: count) + 8 * index
            var isNull = false
            switch (column.kind, slots[column.slot]) {
            case (.integer, .int(let number)):
                blob.storeBytes(of: number, toByteOffset: at, as: Int64.self)
            case (.integer, .bool(let flag)):
                blob.storeBytes(of: flag ? 1 : 0, toByteOffset: at, as: Int64.self)
            case (.real, .double(let number)):
                blob.storeBytes(of: number, toByteOffset: at, as: Double.self)
            case (.real, .date(let date)):
                blob.storeBytes(
                    of: date.timeIntervalSinceReferenceDate,
                    toByteOffset: at,
                    as: Double.self
                )
            case (.reference, .objectID(let other)):
                blob.storeBytes(of: permanent(other).raw, toByteOffset: at, as: UInt64.self)
            case (.text, let value) where !value.isNull, (.bytes, let value) where !value.isNull:
                let length = append(value, column, to: blob + end)
                blob.storeBytes(
                    of: UInt64(length) << 32 | UInt64(end),
                    toByteOffset: at,
                    as: UInt64.self
                )
                end += length
            default: isNull = true
            }
            if isNull {
                let word = 8 + 8 * (index >> 6)
                let mask = blob.load(fromByteOffset: word, as: UInt64.self)
                blob.storeBytes(
                    of: mask | 1 << UInt64(index & 63),
                    toByteOffset: word,
                    as: UInt64.self
                )
                blob.storeBytes(of: 0, toByteOffset: at, as: UInt64.self)
            }
        }
        cache.commit(blob, size: end, for: id)
    }

    private static func byteCount(_ value: Value, _ column: RowLayout.Column) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .uuid: 16
        case .null: 0
        default: encoded(value, column).count
        }
    }

    private static func append(
        _ value: Value,
        _ column: RowLayout.Column,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        switch value {
        case .string(var text):
            return text.withUTF8 { bytes in
                UnsafeMutableRawBufferPointer(start: target, count: bytes.count)
                    .copyBytes(from: bytes)
                return bytes.count
            }
        case .uuid(let uuid):
            target.storeBytes(of: uuid.uuid, as: uuid_t.self)
            return 16
        default:
            let data = encoded(value, column)
            data.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: target, count: bytes.count)
                    .copyMemory(from: bytes)
            }
            return data.count
        }
    }

    /// What a store keeps of a value that is neither a number nor plain text.
    package static func encoded(_ value: Value, _ column: RowLayout.Column) -> Data {
        switch (column.type, value) {
        case (.transformable, _), (.composite, _):
            ValueTransformers.data(for: value, transformer: column.transformerName)
        case (_, .data(let data)): data
        case (_, .decimal(let number)): Data(number.description.utf8)
        case (_, .url(let url)): Data(url.absoluteString.utf8)
        case (_, .string(let text)): Data(text.utf8)
        case (_, .objectID(let id)): Data(id.uri.utf8)
        default: Data()
        }
    }
}
