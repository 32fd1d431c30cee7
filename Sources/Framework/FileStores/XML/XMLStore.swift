package import FoundationEssentials
package import ObjectModel
package import ObjectStore

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
        // As a rule they are at the start of a long document, in the form in which it was written.
        if let start = try StoreDataFile.start(of: url, count: 1 << 16),
            let head = XMLStoreScanner.head(of: start),
            let metadata = try? XMLStoreReading.metadata(head.document)
        {
            return metadata
        }
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return [:] }
        return try FormatProblem.naming(url) { try XMLStoreReading.metadata(data) }
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
        try FormatProblem.naming(try location) {
            let reading = try XMLStoreReading.scanned(data, self) ?? .parsed(data, self)
            try reading.fill(self)
        }
    }

    package override func save() throws {
        try replaceContents(of: try location, with: try XMLStoreWriting(self).data())
    }
}
