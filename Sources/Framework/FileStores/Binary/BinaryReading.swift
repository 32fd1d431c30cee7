import FoundationEssentials
import ObjectModel
import ObjectStore

/// Reads the bytes of a binary store.
///
/// Safety: whoever makes it keeps the bytes while it reads.
struct BinaryReading {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func readMetadata() throws -> StoreMetadata {
        var place = try readHeader()
        return try metadata(try section(.metadata, at: &place))
    }

    func read(into store: BinaryStore) throws {
        var place = try readHeader()
        let found = try metadata(try section(.metadata, at: &place))
        if found.storeIdentifier != store.metadata.storeIdentifier {
            throw FormatProblem("it was replaced while it was opened")
        }
        var cursor = ByteCursor(try section(.entities, at: &place))
        let entities = try readEntities(&cursor, store)
        var nodes: [AtomicStoreCacheNode] = []
        while let content = try nextObjects(at: &place) {
            var cursor = ByteCursor(content)
            try readObjects(&cursor, entities, store, into: &nodes)
        }
        var end = ByteCursor(try section(.end, at: &place))
        let count = try end.count(limit: .max)
        store.nextReferenceNumber = max(1, try end.signed())
        try end.finish()
        if count != nodes.count { throw FormatProblem("objects are missing") }
        if place != bytes.count { throw FormatProblem("there are bytes behind its end") }
        try store.addCacheNodes(nodes)
    }

    // MARK: Sections

    func readHeader() throws -> Int {
        guard bytes.count >= BinaryFormat.headerSize else {
            throw FormatProblem("its header is incomplete")
        }
        let header = UnsafeRawBufferPointer(rebasing: bytes[..<12])
        guard Checksum.of(header) == number(at: 12) else {
            throw FormatProblem("it does not begin as a binary store does")
        }
        let magic = BinaryFormat.magic
        guard header.prefix(8).elementsEqual(UnsafeBufferPointer(start: magic.utf8Start, count: 8))
        else { throw FormatProblem("it does not begin as a binary store does") }
        let version: UInt32 = number(at: 8)
        if version != BinaryFormat.version {
            throw ObjectGraphError(
                .cannotOpen,
                "The file has version \(version) of the binary format; this program reads version"
                    + " \(BinaryFormat.version).",
                recovery: "Use the newer version of the program that wrote it, or a backup."
            )
        }
        return BinaryFormat.headerSize
    }

    private func number<Number: FixedWidthInteger>(at place: Int) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    private func metadata(_ content: UnsafeRawBufferPointer) throws -> StoreMetadata {
        do {
            return try MetadataBytes.metadata(Data(content))
        } catch { throw FormatProblem("its metadata are not a property list") }
    }

    /// The content of the next section, which is of a kind.
    func section(
        _ kind: BinaryFormat.Section,
        at place: inout Int
    ) throws -> UnsafeRawBufferPointer {
        guard let content = try nextSection(kind, at: &place) else {
            throw FormatProblem("the section \"\(kind)\" is missing")
        }
        return content
    }

    func nextObjects(at place: inout Int) throws -> UnsafeRawBufferPointer? {
        try nextSection(.objects, at: &place)
    }

    /// - Returns: `nil` if the next section is of another kind.
    private func nextSection(
        _ kind: BinaryFormat.Section,
        at place: inout Int
    ) throws -> UnsafeRawBufferPointer? {
        guard bytes.count - place >= 16 else { throw FormatProblem("it was cut off") }
        let found: UInt32 = number(at: place)
        let length: UInt64 = number(at: place + 4)
        guard length <= UInt64(bytes.count - place - 16) else {
            throw FormatProblem("it was cut off, or a length is wrong")
        }
        let end = place + 12 + Int(length)
        if Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[place..<end])) != number(at: end) {
            throw FormatProblem("the checksum of the section at byte \(place) is wrong")
        }
        if found != kind.rawValue { return nil }
        let content = UnsafeRawBufferPointer(rebasing: bytes[place + 12..<end])
        place = end + 4
        return content
    }

    // MARK: Entities

    /// An entity of the file in the terms of the model.
    private struct Layout {
        let entity: EntityDescription
        let columns: [BinaryFormat.Column]
        let lists: [RelationshipDescription]
    }

    private func readEntities(_ cursor: inout ByteCursor, _ store: BinaryStore) throws -> [Layout] {
        let entities = Dictionary(store.entities.map { ($0.name, $0) }) { first, _ in first }
        var result: [Layout] = []
        for _ in 0..<(try cursor.count()) {
            let name = try cursor.text()
            guard let entity = entities[name] else {
                throw FormatProblem("it has the unknown entity \"\(name)\"")
            }
            var columns: [BinaryFormat.Column] = []
            for _ in 0..<(try cursor.count()) {
                let column = BinaryFormat.Column(try property(&cursor, entity))
                guard column.type.isStored(as: try cursor.fixed(UInt8.self)) else {
                    throw FormatProblem("\(name).\(column.property.name) has another type")
                }
                columns.append(column)
            }
            var lists: [RelationshipDescription] = []
            for _ in 0..<(try cursor.count()) {
                guard let list = try property(&cursor, entity) as? RelationshipDescription,
                    list.isToMany
                else { throw FormatProblem("a list of \(name) is not a to-many relationship") }
                lists.append(list)
            }
            result.append(Layout(entity: entity, columns: columns, lists: lists))
        }
        try cursor.finish()
        return result
    }

    private func property(
        _ cursor: inout ByteCursor,
        _ entity: EntityDescription
    ) throws -> PropertyDescription {
        let name = try cursor.text()
        guard let property = entity.property(named: name), property.isInStore else {
            throw FormatProblem("\(entity.name) has no property \"\(name)\"")
        }
        return property
    }

    // MARK: Objects

    private func readObjects(
        _ cursor: inout ByteCursor,
        _ entities: [Layout],
        _ store: BinaryStore,
        into nodes: inout [AtomicStoreCacheNode]
    ) throws {
        let layout = try entity(&cursor, entities)
        let count = try cursor.count()
        nodes.reserveCapacity(nodes.count + count)
        let maskSize = (layout.columns.count + 7) / 8
        let empty = [GraphValue](repeating: .null, count: layout.entity.slots.count)
        for _ in 0..<count {
            let reference = try cursor.reference()
            let id = store.objectID(for: layout.entity, withReferenceObject: reference)
            var values = empty
            let mask = try cursor.bytes(maskSize)
            for (place, column) in layout.columns.enumerated()
            where mask[place >> 3] & 1 << UInt8(place & 7) == 0 {
                values[column.property.slot] = try value(column, &cursor, entities, store)
            }
            let node = AtomicStoreCacheNode(id, layout.entity, values)
            for list in layout.lists {
                let count = try cursor.count()
                if count == 0 { continue }
                var ids: [ManagedObjectID] = []
                ids.reserveCapacity(count)
                for _ in 0..<count { ids.append(try self.id(&cursor, entities, store)) }
                node.loadedMembers.append((list.slot, ids))
            }
            nodes.append(node)
        }
        try cursor.finish()
    }

    private func entity(_ cursor: inout ByteCursor, _ entities: [Layout]) throws -> Layout {
        let place = try cursor.count(limit: entities.count)
        guard place < entities.count else { throw FormatProblem("an entity is out of range") }
        return entities[place]
    }

    private func id(
        _ cursor: inout ByteCursor,
        _ entities: [Layout],
        _ store: BinaryStore
    ) throws -> ManagedObjectID {
        let entity = try entity(&cursor, entities).entity
        return store.objectID(for: entity, withReferenceObject: try cursor.reference())
    }

    private func value(
        _ column: BinaryFormat.Column,
        _ cursor: inout ByteCursor,
        _ entities: [Layout],
        _ store: BinaryStore
    ) throws -> GraphValue {
        switch column.type {
        case .integer: return .int(try cursor.signed())
        case .boolean: return .bool(try cursor.fixed(UInt8.self) != 0)
        case .real: return .double(Double(bitPattern: try cursor.fixed(UInt64.self)))
        case .date:
            let seconds = Double(bitPattern: try cursor.fixed(UInt64.self))
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .text:
            let text = try cursor.text()
            let type = (column.property as? AttributeDescription)?.type
            return type == .objectID ? GraphValue(storedID: text) : .string(text)
        case .decimal:
            guard let number = Decimal(string: try cursor.text()) else {
                throw FormatProblem("a value of \(column.property.name) is not a decimal number")
            }
            return .decimal(number)
        case .uri:
            guard let url = URL(string: try cursor.text()) else {
                throw FormatProblem("a value of \(column.property.name) is not a URI")
            }
            return .url(url)
        case .data: return .data(Data(try cursor.bytes(try cursor.count())))
        case .uuid:
            let bytes = try cursor.bytes(16)
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .transformed:
            let data = Data(try cursor.bytes(try cursor.count()))
            guard let attribute = column.property as? AttributeDescription,
                let value = TransformedData.value(data, of: attribute)
            else {
                throw FormatProblem("the transformer of \(column.property.name) refuses a value")
            }
            return value
        case .reference: return .objectID(try id(&cursor, entities, store))
        }
    }
}

/// Reads bytes from the front, and never beyond the end.
///
/// Safety: as for ``BinaryReading``.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private static let tooShort = FormatProblem("a section is too short")

    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - place >= size else { throw ByteCursor.tooShort }
        defer { place += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    mutating func unsigned() throws -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            result |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
        }
        throw ByteCursor.tooShort
    }

    mutating func signed() throws -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A number of things of at least one byte each, so not more than bytes are left.
    mutating func count(limit: Int? = nil) throws -> Int {
        let number = try unsigned()
        guard number <= UInt64(limit ?? bytes.count) else { throw ByteCursor.tooShort }
        return Int(number)
    }

    mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= bytes.count - place else { throw ByteCursor.tooShort }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    mutating func text() throws -> String {
        String(decoding: try bytes(try count()), as: UTF8.self)
    }

    mutating func reference() throws -> ReferenceObject {
        switch try fixed(UInt8.self) {
        case 0: return .number(try signed())
        case 1: return .text(try text())
        default: throw FormatProblem("a reference is neither a number nor a text")
        }
    }

    func finish() throws {
        if place != bytes.count { throw FormatProblem("a section is too long") }
    }
}
