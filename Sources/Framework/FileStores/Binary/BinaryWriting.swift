import FoundationEssentials
import ObjectModel
import ObjectStore

struct BinaryWriting {
    private let store: BinaryStore
    private let layouts: [BinaryFormat.Layout]
    /// The place of an entity in the file, by its number in the model.
    private let places: [UInt16: UInt64]

    init(_ store: BinaryStore) {
        self.store = store
        layouts = store.entities.map { BinaryFormat.Layout($0) }
        places = Dictionary(
            layouts.enumerated().map { ($1.entity.number, UInt64($0)) }
        ) { first, _ in first }
    }

    func data() throws -> Data {
        let nodes = store.cacheNodes
        var bytes = ByteWriter(capacity: 4096 + 64 * nodes.count)
        bytes.add(BinaryFormat.magic)
        bytes.add(fixed: BinaryFormat.version)
        bytes.addChecksum(from: 0)

        try section(.metadata, in: &bytes) { $0.add(try MetadataBytes.data(store.metadata)) }
        try section(.entities, in: &bytes) { addEntities(to: &$0) }
        var start = 0
        while start < nodes.count {
            let number = nodes[start].entity.number
            let end = nodes[start...].firstIndex { $0.entity.number != number } ?? nodes.count
            try addObjects(nodes[start..<end], to: &bytes)
            start = end
        }
        try section(.end, in: &bytes) { bytes in
            bytes.add(UInt64(nodes.count))
            bytes.add(signed: store.nextReferenceNumber)
        }
        return bytes.data
    }

    private func section(
        _ kind: BinaryFormat.Section,
        in bytes: inout ByteWriter,
        _ body: (inout ByteWriter) throws -> Void
    ) throws {
        let start = bytes.count
        bytes.add(fixed: kind.rawValue)
        bytes.add(fixed: UInt64(0))
        let content = bytes.count
        try body(&bytes)
        bytes.set(fixed: UInt64(bytes.count - content), at: content - 8)
        bytes.addChecksum(from: start)
    }

    private func addEntities(to bytes: inout ByteWriter) {
        bytes.add(UInt64(layouts.count))
        for layout in layouts {
            bytes.add(text: layout.entity.name)
            bytes.add(UInt64(layout.columns.count))
            for column in layout.columns {
                bytes.add(text: column.property.name)
                bytes.add(fixed: column.type.rawValue)
            }
            bytes.add(UInt64(layout.lists.count))
            for list in layout.lists { bytes.add(text: list.name) }
        }
    }

    private func addObjects(
        _ nodes: ArraySlice<AtomicStoreCacheNode>,
        to bytes: inout ByteWriter
    ) throws {
        guard let entity = nodes.first?.entity, let place = places[entity.number] else { return }
        let layout = layouts[Int(place)]
        try section(.objects, in: &bytes) { bytes in
            bytes.add(place)
            bytes.add(UInt64(nodes.count))
            for node in nodes { try add(node, layout, to: &bytes) }
        }
    }

    private func add(
        _ node: AtomicStoreCacheNode,
        _ layout: BinaryFormat.Layout,
        to bytes: inout ByteWriter
    ) throws {
        add(store.referenceObject(for: node.objectID), to: &bytes)
        var mask: UInt8 = 0
        for (place, column) in layout.columns.enumerated() {
            if node.values[column.property.slot].isNull { mask |= 1 << UInt8(place & 7) }
            if place & 7 == 7 || place == layout.columns.count - 1 {
                bytes.add(fixed: mask)
                mask = 0
            }
        }
        for column in layout.columns {
            try add(node.values[column.property.slot], column, to: &bytes)
        }
        for list in layout.lists {
            let ids = try node.destinations(list)
            bytes.add(UInt64(ids.count))
            for id in ids { add(id, to: &bytes) }
        }
    }

    private func add(
        _ value: GraphValue,
        _ column: BinaryFormat.Column,
        to bytes: inout ByteWriter
    ) throws {
        switch (column.type, value) {
        case (_, .null): break
        case (.integer, .int(let number)): bytes.add(signed: number)
        case (.boolean, .bool(let flag)): bytes.add(fixed: flag ? UInt8(1) : 0)
        case (.real, .double(let number)): bytes.add(fixed: number.bitPattern)
        case (.date, .date(let date)):
            bytes.add(fixed: date.timeIntervalSinceReferenceDate.bitPattern)
        case (.text, .string(let text)): bytes.add(text: text)
        case (.text, .objectID(let id)): bytes.add(text: id.uri)
        case (.decimal, .decimal(let number)): bytes.add(text: number.description)
        case (.uri, .url(let url)): bytes.add(text: url.absoluteString)
        case (.data, .data(let data)): bytes.add(counted: data)
        case (.uuid, .uuid(let uuid)): withUnsafeBytes(of: uuid.uuid) { bytes.add($0) }
        case (.reference, .objectID(let id)): add(id, to: &bytes)
        case (let type, _):
            guard let attribute = column.property as? AttributeDescription else {
                throw FormatProblem("\(column.property.name) does not lead to an object")
            }
            if type != .transformed { throw TransformedData.refusal(value, attribute) }
            bytes.add(counted: try TransformedData.data(value, of: attribute))
        }
    }

    private func add(_ id: ManagedObjectID, to bytes: inout ByteWriter) {
        bytes.add(places[id.entityNumber] ?? 0)
        add(store.referenceObject(for: id), to: &bytes)
    }

    private func add(_ reference: ReferenceObject, to bytes: inout ByteWriter) {
        switch reference {
        case .number(let number):
            bytes.add(fixed: UInt8(0))
            bytes.add(signed: number)
        case .text(let text):
            bytes.add(fixed: UInt8(1))
            bytes.add(text: text)
        }
    }
}

/// Bytes that grow at their end.
private struct ByteWriter {
    private(set) var data: Data

    init(capacity: Int) {
        data = Data()
        data.reserveCapacity(capacity)
    }

    var count: Int { data.count }

    mutating func add(_ text: StaticString) {
        data.append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    mutating func add(fixed number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    mutating func set(fixed number: some FixedWidthInteger, at place: Int) {
        withUnsafeBytes(of: number.littleEndian) {
            data.replaceSubrange(place..<place + $0.count, with: $0)
        }
    }

    mutating func add(_ number: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 10) { buffer in
            var rest = number
            var count = 0
            while rest >= 0x80 {
                buffer[count] = UInt8(truncatingIfNeeded: rest) | 0x80
                rest >>= 7
                count += 1
            }
            buffer[count] = UInt8(truncatingIfNeeded: rest)
            add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[...count]))
        }
    }

    mutating func add(signed number: Int64) {
        add(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    mutating func add(text: String) {
        var text = text
        text.withUTF8 { bytes in
            add(UInt64(bytes.count))
            add(UnsafeRawBufferPointer(bytes))
        }
    }

    mutating func add(counted other: Data) {
        add(UInt64(other.count))
        data.append(other)
    }

    mutating func add(_ other: Data) { data.append(other) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        data.append(contentsOf: bytes)
    }

    mutating func addChecksum(from start: Int) {
        let sum = data.withUnsafeBytes {
            Checksum.of(UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        add(fixed: sum)
    }
}
