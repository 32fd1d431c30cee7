import FoundationEssentials
import ObjectModel
import ObjectStore
import XMLReading

extension XMLStore {
    /// The model that a document shows.
    ///
    /// Its entities have the names that the metadata give them; its properties have names in lower
    /// case, because a document has no others.
    static func deduce(from url: URL) throws -> ManagedObjectModel? {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return nil }
        return try FormatProblem.naming(url) {
            let metadata = try XMLStoreReading.metadata(data)
            let survey = XMLSurvey(metadata)
            try XMLReader.read(data, survey)
            return survey.model()
        }
    }
}

/// Reads which properties the objects of a document have.
private final class XMLSurvey: XMLHandler {
    private var found = DeducedEntities()
    /// The names of entities by the names in the document.
    private var names: [String: String] = [:]
    private var entity: String?
    private var depth = 0
    /// The entities of objects by their IDs.
    private var entities: [String: String] = [:]
    /// The objects of relationships, until all are known.
    private var links: [(entity: String, name: String, isToMany: Bool, ids: [Substring])] = []

    init(_ metadata: StoreMetadata) {
        guard case .dictionary(let hashes)? = metadata[StoreMetadataKey.hashes] else { return }
        for name in hashes.keys.sorted() {
            names[name.uppercased()] = name
            found.add(entity: name)
        }
    }

    private func name(_ text: String) -> String { names[text] ?? text }

    func model() -> ManagedObjectModel {
        // A subentity's objects belong to a relationship of its parent too, and the document names
        // only the parent.
        for link in links {
            for target in Set(link.ids.compactMap { entities[String($0)] }) {
                found.add(
                    relationship: link.name,
                    toMany: link.isToMany,
                    of: link.entity,
                    to: target
                )
            }
        }
        links = []
        return found.model()
    }

    func start(_ element: XMLName, _ attributes: XMLAttributes) throws {
        depth += 1
        switch (depth, element) {
        case (2, "object"):
            entity = attributes["type"].map { name($0.string) }
            if let entity {
                found.add(entity: entity)
                if let id = attributes["id"]?.string { entities[id] = entity }
            }
        case (3, "attribute"):
            guard let entity, let name = attributes["name"]?.string else { return }
            let type = attributes["type"]?.string ?? "string"
            found.add(attribute: name, AttributeType(xmlName: type) ?? .string, of: entity)
        case (3, "relationship"):
            guard let entity, let name = attributes["name"]?.string else { return }
            let isToMany =
                attributes["type"].map { !($0 == "1/1") && !($0 == "0/1") } ?? true
            found.add(
                relationship: name,
                toMany: isToMany,
                of: entity,
                to: attributes["destination"].map { self.name($0.string) }
            )
            let ids = (attributes["idrefs"]?.string ?? "").split(whereSeparator: \.isWhitespace)
            if !ids.isEmpty { links.append((entity, name, isToMany, ids)) }
        default: break
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws {}

    func end(_ name: XMLName) throws {
        depth -= 1
        if depth == 1 { entity = nil }
    }
}
