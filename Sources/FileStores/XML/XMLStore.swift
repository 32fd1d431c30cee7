package import FoundationEssentials
package import ObjectModel
package import ObjectStore
import XMLReading

/// A store in an XML file of Core Data's layout.
///
///     <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
///     <database>
///         <databaseInfo>
///             <version>134481920</version>
///             <UUID>…</UUID>
///             <nextObjectID>105</nextObjectID>
///             <metadata><plist version="1.0"><dict>…</dict></plist></metadata>
///         </databaseInfo>
///         <object type="TASK" id="z104">
///             <attribute name="title" type="string">Pay the rent</attribute>
///             <relationship name="list" type="1/1" destination="LIST" idrefs="z102"/>
///         </object>
///     </database>
///
/// Entities are written in upper case and properties in lower case, so a model in which two names
/// differ in case only is refused. An attribute that is `nil` is left out. A text with characters
/// that XML cannot hold (control characters, U+FFFE, U+FFFF) is written as Base64 of its UTF-8 bytes,
/// and its `attribute` element has `encoding="base64"`.
///
/// A document's order, white space and comments do not matter when it is read; they are not kept.
package final class XMLStore: AtomicStore {
    package override var type: StoreType { .xml }

    /// `id` is unique in a document, whatever the entity is.
    package override class var hasStoreWideNumbers: Bool { true }

    package override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return [:] }
        let reading = XMLStoreReading(nil)
        return try FormatProblem.naming(url) { try reading.readMetadata(data) }
    }

    package override func checkModel() throws {
        var names: [String: String] = [:]
        for entity in entities {
            if let other = names.updateValue(entity.name, forKey: entity.name.uppercased()) {
                throw collision("\"\(other)\" and \"\(entity.name)\"")
            }
            var properties: [String: String] = [:]
            for property in entity.storedProperties {
                let name = property.name
                if let other = properties.updateValue(name, forKey: name.lowercased()) {
                    throw collision("\"\(entity.name).\(other)\" and \"\(entity.name).\(name)\"")
                }
            }
        }
    }

    private func collision(_ names: String) -> ObjectGraphError {
        ObjectGraphError(
            .unsupported,
            "An XML store cannot distinguish \(names): it does not keep the case of names.",
            recovery: "Rename one of them, or use a store of another type."
        )
    }

    package override class func deducedModel(
        ofStoreAt url: URL
    ) throws -> ManagedObjectModel? { try deduce(from: url) }

    package override func load() throws {
        keepsNodes = false
        guard let data = try contents(of: try location) else { return }
        let reading = XMLStoreReading(self)
        try FormatProblem.naming(try location) { try reading.read(data) }
    }

    package override func save() throws {
        try replaceContents(of: try location, with: try XMLStoreWriting(self).data())
    }
}

/// The names of an entity in the file, in the form in which they are compared and written.
struct XMLEntity {
    struct Property {
        let property: PropertyDescription
        let name: ContiguousArray<UInt8>
    }

    let entity: EntityDescription
    let name: ContiguousArray<UInt8>
    let properties: [Property]

    init(_ entity: EntityDescription) {
        self.entity = entity
        name = ContiguousArray(entity.name.uppercased().utf8)
        properties = entity.storedProperties.map { property in
            Property(
                property: property,
                name: ContiguousArray(property.name.lowercased().utf8)
            )
        }
    }

    /// The place of a property among ``properties``.
    ///
    /// - Parameters:
    ///   - name: in lower case.
    ///   - hint: where it probably is: behind the one before it.
    /// - Returns: `nil` if the entity does not have it.
    func place(of name: XMLName, near hint: Int) -> Int? {
        if hint < properties.count, name.isEqual(to: properties[hint].name) { return hint }
        return properties.indices.first { name.isEqual(to: properties[$0].name) }
    }
}
