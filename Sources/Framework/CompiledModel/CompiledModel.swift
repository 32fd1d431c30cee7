package import FoundationEssentials
package import ObjectModel

/// A model as Apple's tools compile it: a keyed archive, in a `.mom` file or, packed, in the table
/// `Z_MODELCACHE` of a store.
///
///     1. unpack the bytes;
///     2. read the property list and the archive in it, object by object;
///     3. make an entity of each object of the root's `NSEntities`, with its own properties only:
///        an archive repeats inherited ones in each entity.
///
/// The result says how objects are stored, and the defaults and derivations of their values. It does
/// not have what is code for other programs: predicates of validation, fetched properties and fetch
/// request templates.
///
/// The bytes are untrusted: whatever is wrong with them is a ``CompiledModelProblem``.
package struct CompiledModel {
    private let archive: KeyedArchive

    /// - Parameter data: the archive, packed or not.
    /// - Throws: ``CompiledModelProblem`` if the bytes are not a keyed archive.
    package init(_ data: Data) throws {
        archive = try KeyedArchive(PackedBytes.unpacked(data))
    }

    /// The model, not frozen.
    ///
    /// - Throws: ``CompiledModelProblem`` if the archive is not of a model, or a part is damaged.
    /// - Complexity: O(properties, inherited ones included).
    package func model() throws -> ManagedObjectModel {
        let root = try archive.root
        guard let entities = try root.field("NSEntities") else {
            throw CompiledModelProblem("it is an archive of something else")
        }
        let model = ManagedObjectModel()
        for (name, object) in try entities.pairs() {
            if model.entity(named: name) != nil {
                throw CompiledModelProblem("it has an entity twice")
            }
            model.add(try CompiledEntity(name, object).entity())
        }
        if model.entities.isEmpty { throw CompiledModelProblem("it has no entities") }
        for (name, members) in try root.field("NSConfigurations")?.pairs() ?? [] {
            var names: [String] = []
            for member in try members.items() {
                if let name = try member.text("NSEntityName"), model.entity(named: name) != nil {
                    names.append(name)
                }
            }
            model.configurations[name] = names.sorted()
        }
        var identifiers: Set<String> = []
        for identifier in try root.field("NSVersionIdentifiers")?.items() ?? [] {
            if let text = try identifier.text() {
                identifiers.insert(text)
            } else if let number = try identifier.integer() {
                identifiers.insert(String(number))
            }
        }
        model.versionIdentifiers = identifiers
        return model
    }
}

/// One entity of an archive.
struct CompiledEntity {
    /// How many ancestors an entity may have.
    private static let depthLimit = 256

    private let name: String
    private let object: KeyedArchive.Object

    init(_ name: String, _ object: KeyedArchive.Object) {
        self.name = name
        self.object = object
    }

    func entity() throws -> EntityDescription {
        guard try object.className() == "NSEntityDescription" else {
            throw CompiledModelProblem("one of its entities is something else")
        }
        let entity = EntityDescription(
            name,
            className: try object.text("NSClassNameForEntity"),
            isAbstract: try object.flag("NSIsAbstract"),
            superentity: try object.field("NSSuperentity")?.text("NSEntityName")
        )
        entity.versionHashModifier = try object.text("NSVersionHashModifier")
        entity.renamingIdentifier = try renaming(object, name)
        entity.userInfo = try userInfo(object)
        let inherited = try inheritedNames()
        for (name, value) in try object.field("NSProperties")?.pairs() ?? [] {
            if inherited.contains(name) || entity.ownProperties.contains(where: { $0.name == name })
            {
                continue
            }
            if let property = try CompiledProperty(name, value).property() { entity.add(property) }
        }
        for tuple in try object.field("NSUniqueTuples")?.items() ?? [] {
            var names: [String] = []
            for item in try tuple.items() {
                if let name = try item.text() ?? item.text("NSPropertyName") { names.append(name) }
            }
            if !names.isEmpty { entity.uniquenessConstraints.append(names) }
        }
        entity.indexes = try indexes(of: entity)
        return entity
    }

    private func inheritedNames() throws -> Set<String> {
        var names: Set<String> = []
        var current = object
        for _ in 0..<CompiledEntity.depthLimit {
            guard let parent = try current.field("NSSuperentity") else { return names }
            for (name, _) in try parent.field("NSProperties")?.pairs() ?? [] { names.insert(name) }
            current = parent
        }
        throw CompiledModelProblem("one of its entities is its own ancestor")
    }

    /// The indexes of the entity's own; one with a condition is left out.
    private func indexes(of entity: EntityDescription) throws -> [FetchIndexDescription] {
        var result: [FetchIndexDescription] = []
        for index in try object.field("NSFetchIndexDescriptions")?.items() ?? [] {
            guard let name = try index.text("NSIndexName"),
                try index.field("NSPartialIndexPredicate") == nil
            else { continue }
            var elements: [FetchIndexDescription.Element] = []
            for element in try index.field("NSIndexElements")?.items() ?? [] {
                guard let property = try element.text("NSPropertyName") else { continue }
                elements.append(
                    FetchIndexDescription.Element(
                        property,
                        collation: try element.integer("NSFetchIndexElementType") == 1
                            ? .rtree : .binary,
                        ascending: try element.flag("NSAscending")
                    )
                )
            }
            if !elements.isEmpty { result.append(FetchIndexDescription(name, elements)) }
        }
        return result
    }
}

/// The former name of an entity or a property; `nil` if it has always been the present one.
func renaming(_ object: KeyedArchive.Object, _ name: String) throws -> String? {
    let identifier = try object.text("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
}

func userInfo(_ object: KeyedArchive.Object) throws -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try object.field("NSUserInfo")?.pairs() ?? [] {
        result[key] = try value.text()
    }
    return result
}
