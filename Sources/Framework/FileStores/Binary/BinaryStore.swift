package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// A store in a compact file of our own format.
///
/// The file is a header and a series of sections; numbers have their lowest byte first.
///
///     header    8 bytes "OGBINARY", u32 version (1), u32 checksum of the 12 bytes before
///     section   u32 kind, u64 length, the content, u32 checksum of kind, length and content
///
/// The kinds are, in this order: 1 metadata, a binary property list; 2 entities; 3 the objects of one
/// entity, once for each entity that has some; 4 the end, with the number of objects and the next
/// reference number. `v` is an unsigned number of 7 bits a byte, the lowest first; `z` is a signed
/// one as `v`, with its sign in the lowest bit; a text is its length as `v` and UTF-8 bytes.
///
///     entities  v count; of each: its name, v count of columns, of each its name and u8 type;
///               v count of lists, of each its name
///     objects   v entity, v count; of each: reference, a bit for each column that is nil, the values
///               of the other columns, and for each list v count and references with v entity
///     reference u8 0 and z number, or u8 1 and a text
///
/// Every flipped bit and every cut of the file is found: by the checksums, which are CRC-32, by the
/// missing end, or by bytes behind it. Columns are found by name, so the order of properties in a
/// model does not matter.
package final class BinaryStore: AtomicStore {
    package override var type: StoreType { .binary }

    package override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return [:] }
        return try FormatProblem.naming(url) {
            try data.withUnsafeBytes { try BinaryReading($0).readMetadata() }
        }
    }

    package override class func deducedModel(
        ofStoreAt url: URL
    ) throws -> ManagedObjectModel? { try deduce(from: url) }

    package override func load() throws {
        keepsNodes = false
        guard let data = try contents(of: try location) else { return }
        try FormatProblem.naming(try location) {
            try data.withUnsafeBytes { try BinaryReading($0).read(into: self) }
        }
    }

    package override func save() throws {
        try replaceContents(of: try location, with: try BinaryWriting(self).data())
    }
}

/// The constants of the format.
enum BinaryFormat {
    static let magic: StaticString = "OGBINARY"
    static let version: UInt32 = 1
    static let headerSize = 16

    enum Section: UInt32 {
        case metadata = 1
        case entities = 2
        case objects = 3
        case end = 4
    }

    /// How a value is written.
    enum ColumnType: UInt8 {
        case integer = 0
        case boolean = 1
        case real = 2
        case date = 3
        case text = 4
        case decimal = 5
        case uri = 6
        case data = 7
        case uuid = 8
        case transformed = 9
        /// A to-one relationship.
        case reference = 10

        /// Whether a file's column of a type can be read as one of this type: transformed values may
        /// be read as the data that they are stored as.
        func isStored(as type: UInt8) -> Bool {
            type == rawValue || self == .data && type == ColumnType.transformed.rawValue
        }

        init(_ property: PropertyDescription) {
            guard let attribute = property as? AttributeDescription else {
                self = .reference
                return
            }
            switch attribute.type {
            case .integer16, .integer32, .integer64, .undefined: self = .integer
            case .boolean: self = .boolean
            case .double, .float: self = .real
            case .date: self = .date
            case .string, .objectID: self = .text
            case .decimal: self = .decimal
            case .uri: self = .uri
            case .binary, .composite: self = .data
            case .uuid: self = .uuid
            case .transformable: self = .transformed
            }
        }
    }

    /// A column, or a list, of an entity.
    struct Column {
        let property: PropertyDescription
        let type: ColumnType

        init(_ property: PropertyDescription) {
            self.property = property
            type = ColumnType(property)
        }
    }

    /// What is written of an entity's objects.
    struct Layout {
        let entity: EntityDescription
        let columns: [Column]
        let lists: [RelationshipDescription]

        init(_ entity: EntityDescription) {
            self.entity = entity
            columns = entity.storedProperties
                .filter { ($0 as? RelationshipDescription)?.isToMany != true }.map { Column($0) }
            lists = entity.relationships.filter { !$0.isTransient && $0.isWritten }
        }
    }
}
