import FoundationEssentials
import ObjectModel
import ObjectStore
import XMLReading

/// Reads the document of an XML store: its metadata alone, or with all objects.
final class XMLStoreReading: XMLHandler {
    /// Ends the reading once the metadata are complete.
    private struct Done: Error {}

    private let store: XMLStore?
    private let entities: [XMLEntity]
    private var metadata: StoreMetadata?
    private var identifier: String?
    private var plist: PropertyListBuilder?
    private var depth = 0
    private var sawDatabase = false

    private var node: AtomicStoreCacheNode?
    private var form: XMLEntity?
    private var nodes: [AtomicStoreCacheNode] = []
    private var idByNumber: [Int64: ManagedObjectID] = [:]
    private var idByText: [String: ManagedObjectID] = [:]
    private var pending: [Pending] = []
    /// The attribute whose text is being read.
    private var attribute: AttributeDescription?
    private var isEncoded = false
    private var text: [UInt8] = []
    /// Where the next property probably is in its entity.
    private var hint = 0

    /// A relationship whose destinations are read when all objects are known.
    private struct Pending {
        let node: AtomicStoreCacheNode
        let relationship: RelationshipDescription
        let idrefs: [Substring]
    }

    /// - Parameter store: `nil` if only the metadata are read.
    init(_ store: XMLStore?) {
        self.store = store
        entities = store?.entities.map { XMLEntity($0) } ?? []
    }

    func readMetadata(_ data: Data) throws -> StoreMetadata {
        do { try XMLReader.read(data, self) } catch is Done {}
        return try completeMetadata()
    }

    /// Reads everything and gives the store its nodes.
    func read(_ data: Data) throws {
        try XMLReader.read(data, self)
        guard let store else { return }
        let found = try completeMetadata()
        if found.storeIdentifier != store.metadata.storeIdentifier {
            throw FormatProblem("it was replaced while it was opened")
        }
        for relationship in pending { try resolve(relationship) }
        try store.addCacheNodes(nodes)
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
        text.removeAll(keepingCapacity: true)
        switch (depth, name) {
        case (1, "database"): sawDatabase = true
        case (1, _): throw FormatProblem("it is not an object store")
        case (_, "plist"): plist = PropertyListBuilder()
        case (2, "object"):
            if store != nil { try startObject(attributes) }
        case (3, "attribute"):
            if node != nil { try startAttribute(attributes) }
        case (3, "relationship"):
            if node != nil { try relationship(attributes) }
        case (2, "databaseInfo"), (3, "version"), (3, "UUID"), (3, "nextObjectID"),
            (3, "metadata"):
            break
        default: throw FormatProblem("it has an element \"\(name)\" at a wrong place")
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws {
        if plist != nil { plist?.add(bytes) } else { text.append(contentsOf: bytes) }
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
        switch name {
        case "UUID": identifier = plainText
        case "nextObjectID":
            if let number = Int64(plainText), let store {
                store.nextReferenceNumber = max(store.nextReferenceNumber, number)
            }
        case "attribute": try endAttribute()
        case "object":
            if let node { nodes.append(node) }
            node = nil
        case "databaseInfo": if store == nil { throw Done() }
        default: break
        }
    }

    private var plainText: String {
        String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
    }

    // MARK: Objects

    private func startObject(_ attributes: XMLAttributes) throws {
        guard let type = attributes["type"], let id = attributes["id"]?.string, !id.isEmpty,
            let store
        else { throw FormatProblem("an object has no type or no id") }
        if form.map({ type.isEqual(to: $0.name) }) != true {
            form = entities.first { type.isEqual(to: $0.name) }
        }
        guard let form else {
            throw FormatProblem("the object \(id) is of the unknown entity \"\(type)\"")
        }
        let reference = XMLStoreReading.reference(id)
        let objectID = store.objectID(for: form.entity, withReferenceObject: reference)
        let isTwice: Bool
        switch reference {
        case .number(let number):
            isTwice = idByNumber.updateValue(objectID, forKey: number) != nil
        case .text(let text): isTwice = idByText.updateValue(objectID, forKey: text) != nil
        }
        if isTwice { throw FormatProblem("two objects have the id \(id)") }
        node = AtomicStoreCacheNode(objectID: objectID, entity: form.entity)
        hint = 0
    }

    /// `z102` is the number 102, as Core Data writes it; any other text stands for itself.
    private static func reference(_ id: some StringProtocol) -> ReferenceObject {
        if id.first == "z", let number = Int64(id.dropFirst()), number > 0,
            ReferenceObject.isNumber(id.dropFirst())
        {
            return .number(number)
        }
        return .text(String(id))
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
    }

    private func endAttribute() throws {
        guard let node, let attribute else { return }
        self.attribute = nil
        var content = String(decoding: text, as: UTF8.self)
        if isEncoded {
            guard let data = ValueText.data(content) else {
                throw FormatProblem("a value of \(place(attribute)) is not Base64")
            }
            content = String(decoding: data, as: UTF8.self)
        }
        guard let value = ValueText.value(content, of: attribute) else {
            throw FormatProblem(
                "a value of \(place(attribute)) is not \(attribute.type.nameWithArticle)"
            )
        }
        node.values[attribute.slot] = value
    }

    private func place(_ property: PropertyDescription) -> String {
        "\(form?.entity.name ?? "").\(property.name)"
    }

    private func relationship(_ attributes: XMLAttributes) throws {
        let property = try property(attributes)
        guard let relationship = property as? RelationshipDescription, let node else {
            throw FormatProblem("\(place(property)) is an attribute, not a relationship")
        }
        let idrefs = (attributes["idrefs"]?.string ?? "").split(whereSeparator: \.isWhitespace)
        if idrefs.isEmpty { return }
        if !relationship.isToMany, idrefs.count > 1 {
            throw FormatProblem("\(place(property)) has more than one destination")
        }
        pending.append(Pending(node: node, relationship: relationship, idrefs: idrefs))
    }

    private func resolve(_ pending: Pending) throws {
        let relationship = pending.relationship
        let ids = pending.idrefs.compactMap { text -> ManagedObjectID? in
            let reference = XMLStoreReading.reference(text)
            let known: ManagedObjectID?
            switch reference {
            case .number(let number): known = idByNumber[number]
            case .text(let text): known = idByText[text]
            }
            // An object that does not exist any more: a delete rule without action left it.
            return known
                ?? relationship.destination.flatMap { entity in
                    store?.objectID(for: entity, withReferenceObject: reference)
                }
        }
        if relationship.isToMany {
            pending.node.loadedMembers.append((relationship.slot, ids))
        } else if let id = ids.first {
            pending.node.values[relationship.slot] = .objectID(id)
        }
    }
}
