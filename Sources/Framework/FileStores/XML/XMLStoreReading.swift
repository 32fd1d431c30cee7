import FoundationEssentials
import ObjectModel
import ObjectStore
import XMLReading

/// Reads the document of an XML store: its metadata alone, or with all objects.
///
/// The metadata are read by the parser. So is the rest, unless it is exactly in the form in which
/// ``XMLStoreWriting`` writes it: ``XMLStoreScanner`` reads that several times faster.
final class XMLStoreReading: XMLHandler {
    /// Ends the reading once the metadata are complete.
    private struct Done: Error {}

    private let entities: [XMLEntity]
    private var metadata: StoreMetadata?
    private var identifier: String?
    private var nextReference: Int64?
    private var plist: PropertyListBuilder?
    private var depth = 0
    private var sawDatabase = false

    /// `nil` if only the metadata are read.
    private var objects: FileObjects?
    /// The entity of the object before.
    private var form: XMLEntity?
    /// The attribute whose text is being read.
    private var attribute: AttributeDescription?
    private var isEncoded = false
    /// The text of the element in ``isInText``.
    private var text: [UInt8] = []
    private var isInText = false
    /// Where the next property probably is in its entity.
    private var hint = 0

    /// - Parameter store: `nil` if only the metadata are read.
    private init(_ store: XMLStore?) {
        objects = store.map { FileObjects($0) }
        entities = store?.entities.map { XMLEntity($0) } ?? []
    }

    static func metadata(_ data: Data) throws -> StoreMetadata {
        let reading = XMLStoreReading(nil)
        do { try XMLReader.read(data, reading) } catch is Done {}
        return try reading.completeMetadata()
    }

    static func parsed(_ data: Data, _ store: XMLStore) throws -> XMLStoreReading {
        let reading = XMLStoreReading(store)
        try XMLReader.read(data, reading)
        return reading
    }

    /// Reads everything, if the document is as ``XMLStoreWriting`` writes it.
    ///
    /// - Returns: `nil` if it is not, or has an error; ``parsed(_:_:)`` will say.
    static func scanned(_ data: Data, _ store: XMLStore) -> XMLStoreReading? {
        guard let head = XMLStoreScanner.head(of: data) else { return nil }
        let reading = XMLStoreReading(store)
        do { try XMLReader.read(head.document, reading) } catch { return nil }
        let isComplete = data.withUnsafeBytes { bytes in
            var scanner = XMLStoreScanner(bytes.dropFirst(head.count), reading.entities)
            return scanner.scan(into: &reading.objects)
        }
        return isComplete ? reading : nil
    }

    /// Gives the store what was read.
    func fill(_ store: XMLStore) throws {
        let found = try completeMetadata()
        if found.storeIdentifier != store.metadata.storeIdentifier {
            throw FormatProblem("it was replaced while it was opened")
        }
        if let nextReference {
            store.nextReferenceNumber = max(store.nextReferenceNumber, nextReference)
        }
        try objects?.fill()
        objects = nil
    }

    private func completeMetadata() throws -> StoreMetadata {
        guard sawDatabase else { throw FormatProblem("it is not an object store") }
        guard var found = metadata else { throw FormatProblem("it has no metadata") }
        if let identifier { found[StoreMetadataKey.identifier] = .string(identifier) }
        // Core Data does not write the type.
        if found[StoreMetadataKey.type] == nil {
            found[StoreMetadataKey.type] = .string(StoreType.xml.rawValue)
        }
        return found
    }

    // MARK: Events

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
        depth += 1
        if plist != nil {
            try plist?.start(name, attributes)
            return
        }
        if isInText { text.removeAll(keepingCapacity: true) }
        switch (depth, name) {
        case (3, "attribute"):
            if objects?.isOpen == true { try startAttribute(attributes) }
        case (3, "relationship"):
            if objects?.isOpen == true { try relationship(attributes) }
        case (2, "object"):
            if objects != nil { try startObject(attributes) }
        case (1, "database"): sawDatabase = true
        case (1, _): throw FormatProblem("it is not an object store")
        case (_, "plist"): plist = PropertyListBuilder()
        case (3, "UUID"), (3, "nextObjectID"): startText()
        case (2, "databaseInfo"), (3, "version"), (3, "metadata"): break
        default: throw FormatProblem("it has an element \"\(name)\" at a wrong place")
        }
    }

    private func startText() {
        text.removeAll(keepingCapacity: true)
        isInText = true
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws {
        if plist != nil {
            plist?.add(bytes)
        } else if isInText {
            text.append(contentsOf: bytes)
        }
    }

    func end(_ name: XMLName) throws {
        depth -= 1
        if plist != nil {
            if name == "plist" {
                guard case .dictionary(let list)? = plist?.result else {
                    throw FormatProblem("its metadata are not a property list")
                }
                metadata = list
                plist = nil
            } else {
                try plist?.end(name)
            }
            return
        }
        isInText = false
        switch name {
        case "attribute": try endAttribute()
        case "object": objects?.end()
        case "UUID": identifier = plainText
        case "nextObjectID":
            if let number = Int64(plainText) { nextReference = max(nextReference ?? 0, number) }
        case "databaseInfo": if objects == nil { throw Done() }
        default: break
        }
    }

    private var plainText: String {
        String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
    }

    // MARK: Objects

    private func startObject(_ attributes: XMLAttributes) throws {
        guard let type = attributes["type"], let id = attributes["id"], !id.bytes.isEmpty
        else { throw FormatProblem("an object has no type or no id") }
        if form.map({ type.isEqual(to: $0.name) }) != true {
            form = entities.first { type.isEqual(to: $0.name) }
        }
        guard let form else {
            throw FormatProblem("the object \(id) is of the unknown entity \"\(type)\"")
        }
        if objects?.begin(form.entity, FileObjects.xmlReference(id.bytes)) != true {
            throw FormatProblem("two objects have the id \(id)")
        }
        hint = 0
    }

    private func property(_ attributes: XMLAttributes) throws -> PropertyDescription {
        guard let form, let name = attributes["name"] else {
            throw FormatProblem("a property has no name")
        }
        guard let place = form.place(of: name, near: hint) else {
            throw FormatProblem("\(form.entity.name) has no property \"\(name)\"")
        }
        hint = place + 1
        return form.properties[place].property
    }

    private func startAttribute(_ attributes: XMLAttributes) throws {
        let property = try property(attributes)
        guard let attribute = property as? AttributeDescription else {
            throw FormatProblem("\(place(property)) is a relationship, not an attribute")
        }
        self.attribute = attribute
        isEncoded = attributes["encoding"].map { $0 == "base64" } ?? false
        startText()
    }

    private func endAttribute() throws {
        guard let attribute else { return }
        self.attribute = nil
        let value = try text.withUnsafeBytes { text in
            if !isEncoded { return ValueText.value(text, of: attribute) }
            guard let data = ValueText.data(String(decoding: text, as: UTF8.self)) else {
                throw FormatProblem("a value of \(place(attribute)) is not Base64")
            }
            return data.withUnsafeBytes { ValueText.value($0, of: attribute) }
        }
        guard let value else {
            throw FormatProblem(
                "a value of \(place(attribute)) is not \(attribute.type.nameWithArticle)"
            )
        }
        objects?.set(value, at: attribute.slot)
    }

    private func place(_ property: PropertyDescription) -> String {
        "\(form?.entity.name ?? "").\(property.name)"
    }

    private func relationship(_ attributes: XMLAttributes) throws {
        let property = try property(attributes)
        guard let relationship = property as? RelationshipDescription else {
            throw FormatProblem("\(place(property)) is an attribute, not a relationship")
        }
        guard let idrefs = attributes["idrefs"] else { return }
        if objects?.set(idrefs.bytes, of: relationship) != true {
            throw FormatProblem("\(place(property)) has more than one destination")
        }
    }
}
