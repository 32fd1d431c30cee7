public import FoundationEssentials

// A version hash says whether a store written with one model can be read with another. It covers
// what decides how objects are stored, and nothing else: a new default value, class name, rule,
// index or transient property needs no migration. The hash of an entity covers what the entity
// itself declares, so that a change in one entity changes only that entity's hash.
//
// The use of the hash is Core Data's. The digest's input is our own, because Apple's is not
// documented.

extension EntityDescription {
    /// 32 bytes that change whenever the entity's storage does.
    ///
    /// The same for the same declarations in any order and in any process.
    public var versionHash: Data {
        var text = DigestText("entity")
        text.add("name", name)
        text.add("abstract", isAbstract)
        text.add("parent", superentityName)
        text.add("modifier", versionHashModifier)
        for property in ownProperties.sorted(by: { $0.name < $1.name }) where !property.isTransient
        {
            switch property {
            case let attribute as AttributeDescription:
                text.add(attribute, model?.composites ?? [:])
            case let relationship as RelationshipDescription: text.add(relationship)
            default: break
            }
        }
        return text.digest
    }
}

extension ManagedObjectModel {
    /// The version hashes by entity, of a configuration or (`nil`) of all entities.
    public func entityVersionHashes(inConfiguration name: String? = nil) -> [String: Data] {
        let members = entities(inConfiguration: name) ?? []
        return Dictionary(members.map { ($0.name, $0.versionHash) }) { first, _ in first }
    }

    /// The entities whose stored form differs between this model and a store with these hashes, in
    /// alphabetical order; empty if all are the same.
    ///
    /// An entity that exists on one side only counts as different.
    public func entitiesIncompatible(
        with hashes: [String: Data],
        inConfiguration name: String? = nil
    ) -> [String] {
        let own = entityVersionHashes(inConfiguration: name)
        return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
    }
}

/// Collects what a hash covers.
///
/// Each part has its length before it, so that two different declarations cannot give the same
/// text.
private struct DigestText {
    private var bytes: [UInt8] = []

    init(_ kind: String) { append(kind) }

    mutating func add(_ key: String, _ value: String?) {
        append(key)
        if let value { append(value) } else { bytes.append(0) }
    }

    mutating func add(_ key: String, _ value: Bool) { add(key, value ? "yes" : "no") }

    mutating func add(_ key: String, _ value: Int) { add(key, String(value)) }

    private mutating func append(_ text: String) {
        bytes.append(1)
        for shift in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: text.utf8.count >> shift))
        }
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func add(common property: PropertyDescription) {
        add("property", property.name)
        add("optional", property.isOptional)
        add("modifier", property.versionHashModifier)
    }

    /// A composite attribute has the storage of its elements.
    mutating func add(_ attribute: AttributeDescription, _ types: [String: [PropertyDescription]]) {
        add(common: attribute)
        add("type", attribute.type.rawValue)
        add("external", attribute.allowsExternalStorage)
        add("derivation", attribute.derivation)
        add("composite", attribute.compositeName)
        guard attribute.type == .composite, let name = attribute.compositeName else { return }
        // A type that contains itself is refused elsewhere.
        var others = types
        let elements = others.removeValue(forKey: name) ?? []
        for case let element as AttributeDescription in elements.sorted(by: { $0.name < $1.name })
        where !element.isTransient {
            add(element, others)
        }
        add("end of composite", name)
    }

    mutating func add(_ relationship: RelationshipDescription) {
        add(common: relationship)
        add("destination", relationship.destinationName)
        add("inverse", relationship.inverseName)
        add("minimum", relationship.minCount)
        add("maximum", relationship.maxCount)
        add("ordered", relationship.isOrdered)
        add("rule", relationship.deleteRule.rawValue)
    }

    var digest: Data { Data(SHA256.digest(bytes)) }
}
