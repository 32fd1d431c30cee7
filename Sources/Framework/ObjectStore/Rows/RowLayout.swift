package import ObjectModel

/// How an entity's stored properties are laid out in a cached row.
///
/// A row holds the persistent attributes and the to-one relationships, in slot order. Layouts
/// are made once per entity and store.
public final class RowLayout: Sendable {
    /// How eight bytes of a row are read.
    package enum Kind: UInt8, Sendable {
        case integer = 0
        /// A floating point number, or a date in seconds since 2001.
        case real = 1
        /// An offset and a length of UTF-8 text.
        case text = 2
        /// An offset and a length of bytes.
        case bytes = 3
        /// The raw form of a `ManagedObjectID`, 0 for none.
        case reference = 4
    }

    package struct Column: Sendable {
        package let slot: Int
        package let kind: Kind
        /// The attribute's type; `nil` for a to-one relationship.
        package let type: AttributeType?
        package let transformerName: String?
        /// For data that may be in a file: the folder of such files.
        package let externalFolder: String?
    }

    package let entity: EntityDescription
    package let columns: [Column]
    /// The kinds alone, for C loops.
    package let kinds: [UInt8]
    /// The values of slots without a column.
    ///
    /// Safety: immutable.
    nonisolated(unsafe) package let defaults: [GraphValue]
    /// The slots alone.
    package let slots: [Int]
    /// The column of a slot, or -1 for what a row does not hold.
    public let columnBySlot: [Int]

    /// The layout of an entity; with a folder, large data may be in files there.
    package init(_ entity: EntityDescription, externalFolder: String? = nil) {
        self.entity = entity
        var columns: [Column] = []
        var columnBySlot = [Int](repeating: -1, count: entity.slots.count)
        for property in entity.slots where !property.isTransient {
            if let attribute = property as? AttributeDescription {
                if !attribute.isStored { continue }
                columnBySlot[property.slot] = columns.count
                columns.append(
                    Column(
                        slot: property.slot,
                        kind: Kind(attribute.type),
                        type: attribute.type,
                        transformerName: attribute.valueTransformerName,
                        externalFolder: attribute.allowsExternalStorage
                            && attribute.type == .binary ? externalFolder : nil
                    )
                )
            } else if let relationship = property as? RelationshipDescription,
                !relationship.isToMany
            {
                columnBySlot[property.slot] = columns.count
                columns.append(
                    Column(
                        slot: property.slot,
                        kind: .reference,
                        type: nil,
                        transformerName: nil,
                        externalFolder: nil
                    )
                )
            }
        }
        self.columns = columns
        defaults = entity.defaults
        self.columnBySlot = columnBySlot
        kinds = columns.map(\.kind.rawValue)
        slots = columns.map(\.slot)
    }
}

extension RowLayout.Kind {
    package init(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .undefined: self = .integer
        case .double, .float, .date: self = .real
        case .string, .uri, .decimal, .objectID: self = .text
        case .binary, .uuid, .transformable, .composite: self = .bytes
        }
    }
}
