import ObjectModel
import ObjectStore

/// The names of an entity in the file, as they are compared and written.
final class TextForm {
    struct Property {
        let property: PropertyDescription
        /// What is before the value: `title=`.
        let start: ContiguousArray<UInt8>
    }

    let entity: EntityDescription
    let name: ContiguousArray<UInt8>
    let properties: [Property]

    init(_ entity: EntityDescription) {
        self.entity = entity
        name = ContiguousArray(TextEscaping.escaped(entity.name).utf8)
        properties = entity.storedProperties.map { property in
            let start = TextEscaping.escaped(property.name) + "="
            return Property(property: property, start: ContiguousArray(start.utf8))
        }
    }

    /// The property that a field begins with; `nil` if it begins otherwise, or with a name that is
    /// escaped in another way.
    func property(of field: UnsafeRawBufferPointer) -> PropertyDescription? {
        properties.first { field.starts(with: $0.start) }?.property
    }
}
