package import FoundationEssentials
package import ObjectModel

extension String {
    /// The bytes in UTF-8, without another reference to the text.
    @inlinable
    @inline(__always)
    package func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        if try utf8.withContiguousStorageIfAvailable({ try body(.init($0)) }) != nil { return }
        var copy = self
        try copy.withUTF8 { try body(.init($0)) }
    }
}

/// Writes an object's slots as a cached row, so that saved values need not be read again.
package enum RowWriter {
    /// Appends or replaces the row of an object.
    ///
    /// `permanent` maps temporary IDs that a slot still holds to permanent ones.
    ///
    /// - Throws: what a transformer throws; the cache is unchanged then.
    package static func store(
        _ slots: UnsafePointer<GraphValue>,
        version: Int64,
        id: ManagedObjectID,
        layout: RowLayout,
        in cache: RowCache,
        resolving permanent: (ManagedObjectID) -> ManagedObjectID
    ) throws {
        let count = layout.columns.count
        let header = RowReader.headerSize(columns: count)
        var wanted = header + 8 * count + 256
        while true {
            let room = cache.room(wanted)
            guard let blob = room.baseAddress else { return }
            var row = OpenRow(blob, capacity: room.count, end: header + 8 * count)
            blob.storeBytes(
                of: UInt32(truncatingIfNeeded: version),
                toByteOffset: 4,
                as: UInt32.self
            )
            for word in stride(from: 8, to: header, by: 8) {
                blob.storeBytes(of: 0, toByteOffset: word, as: UInt64.self)
            }
            try layout.kinds.withUnsafeBufferPointer { kinds in
                try layout.slots.withUnsafeBufferPointer { places in
                    for index in 0..<count {
                        try row.append(
                            slots + places[index],
                            kinds[index],
                            layout,
                            index,
                            at: header + 8 * index,
                            resolving: permanent
                        )
                    }
                }
            }
            if row.end <= room.count {
                cache.commit(blob, size: row.end, for: id)
                return
            }
            wanted = row.end
        }
    }

    /// A row that is being written; beyond the end of the space, bytes are only counted.
    ///
    /// Safety: the caller's cache keeps the space, at least until the row is committed.
    private struct OpenRow {
        let blob: UnsafeMutableRawPointer
        let capacity: Int
        var end: Int

        init(_ blob: UnsafeMutableRawPointer, capacity: Int, end: Int) {
            self.blob = blob
            self.capacity = capacity
            self.end = end
        }

        @inline(__always)
        mutating func append(
            _ value: UnsafePointer<GraphValue>,
            _ kind: UInt8,
            _ layout: RowLayout,
            _ index: Int,
            at place: Int,
            resolving permanent: (ManagedObjectID) -> ManagedObjectID
        ) throws {
            switch (value.pointee, kind) {
            case (.int(let number), RowLayout.Kind.integer.rawValue):
                blob.storeBytes(of: number, toByteOffset: place, as: Int64.self)
            case (.bool(let flag), RowLayout.Kind.integer.rawValue):
                blob.storeBytes(of: flag ? 1 : 0, toByteOffset: place, as: Int64.self)
            case (.double(let number), RowLayout.Kind.real.rawValue) where !number.isNaN:
                blob.storeBytes(of: number, toByteOffset: place, as: Double.self)
            case (.date(let date), RowLayout.Kind.real.rawValue)
            where !date.timeIntervalSinceReferenceDate.isNaN:
                blob.storeBytes(
                    of: date.timeIntervalSinceReferenceDate,
                    toByteOffset: place,
                    as: Double.self
                )
            case (.objectID(let other), RowLayout.Kind.reference.rawValue):
                blob.storeBytes(of: permanent(other).raw, toByteOffset: place, as: UInt64.self)
            case (.string(let text), RowLayout.Kind.text.rawValue):
                text.withBytes { append($0, at: place) }
            case (.null, _): setNull(index, at: place)
            case (.decimal(let number), _) where number.isNaN: setNull(index, at: place)
            case (let other, RowLayout.Kind.text.rawValue),
                (let other, RowLayout.Kind.bytes.rawValue):
                try appendEncoded(other, layout.columns[index], at: place)
            default: setNull(index, at: place)
            }
        }

        @inline(__always)
        private mutating func append(_ bytes: UnsafeRawBufferPointer, at place: Int) {
            if end + bytes.count <= capacity, let source = bytes.baseAddress {
                (blob + end).copyMemory(from: source, byteCount: bytes.count)
            }
            blob.storeBytes(
                of: UInt64(bytes.count) << 32 | UInt64(end),
                toByteOffset: place,
                as: UInt64.self
            )
            end += bytes.count
        }

        @inline(never)
        private mutating func appendEncoded(
            _ value: GraphValue,
            _ column: RowLayout.Column,
            at place: Int
        ) throws {
            if case .uuid(let uuid) = value, column.type == .uuid {
                withUnsafeBytes(of: uuid.uuid) { append($0, at: place) }
            } else {
                try RowWriter.encoded(value, column).withUnsafeBytes { append($0, at: place) }
            }
        }

        private func setNull(_ index: Int, at place: Int) {
            let word = 8 + 8 * (index >> 6)
            let mask = blob.load(fromByteOffset: word, as: UInt64.self)
            blob.storeBytes(
                of: mask | 1 << UInt64(index & 63),
                toByteOffset: word,
                as: UInt64.self
            )
            blob.storeBytes(of: 0, toByteOffset: place, as: UInt64.self)
        }
    }

    /// The stored bytes of a value that is neither a number nor plain text.
    ///
    /// - Throws: what a transformer throws: no other bytes may take the place of the value.
    package static func encoded(_ value: GraphValue, _ column: RowLayout.Column) throws -> Data {
        switch (column.type, value) {
        case (.binary, .data(let data)) where column.externalFolder != nil:
            ExternalData.inline(data)
        case (.transformable, _):
            try ValueTransformers.data(for: value, transformer: column.transformerName)
        case (_, .data(let data)): data
        case (_, .decimal(let number)): Data(number.description.utf8)
        case (_, .url(let url)): Data(url.absoluteString.utf8)
        case (_, .string(let text)): Data(text.utf8)
        case (_, .objectID(let id)): Data(id.uri.utf8)
        default: Data()
        }
    }
}
