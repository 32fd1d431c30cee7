import FoundationEssentials

extension ManagedObjectModel {
    /// One model with the entities, configurations, templates and composites of several.
    ///
    /// If several models have something under the same name, the declarations must be equal value
    /// for value; configurations of one name are joined. The result is not frozen; the given models
    /// stay as they are.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` for the first
    ///   declaration that differs.
    /// - Complexity: O(properties).
    public static func merging(_ models: [ManagedObjectModel]) throws -> ManagedObjectModel {
        let merged = ManagedObjectModel()
        for model in models {
            for entity in model.entities {
                guard let known = merged.entity(named: entity.name) else {
                    merged.add(entity.copy())
                    continue
                }
                let places = known.differences(from: entity)
                if !places.isEmpty { throw clash("entity", entity.name, places) }
            }
            for (name, request) in model.fetchRequestTemplates {
                if let known = merged.fetchRequestTemplates[name], known != request {
                    throw clash("fetch request", name)
                }
                merged.fetchRequestTemplates[name] = request
            }
            for (name, attributes) in model.composites {
                if let known = merged.composites[name] {
                    guard known.count == attributes.count,
                        zip(known, attributes).allSatisfy({ $0.isEqual(to: $1) })
                    else { throw clash("composite", name) }
                } else {
                    merged.composites[name] = attributes.map { $0.copy() }
                }
            }
            for (name, members) in model.configurations {
                let known = merged.configurations[name] ?? []
                merged.configurations[name] = known + members.filter { !known.contains($0) }
            }
            merged.versionIdentifiers.formUnion(model.versionIdentifiers)
        }
        return merged
    }

    private static func clash(
        _ kind: String,
        _ name: String,
        _ places: [String] = []
    ) -> ObjectGraphError {
        let details = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
        return ObjectGraphError(
            .invalidModel,
            "Two of the models have the \(kind) \(name), and it differs\(details).",
            recovery: "Make them equal, or rename one.",
            key: name
        )
    }

    /// Whether a store with this metadata can be opened with the model as it is.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of a store; the version hashes are compared.
    ///   - configuration: the configuration that the store is opened with; `nil` for all entities.
    /// - Returns: whether the store has exactly these entities, in the form of the model.
    public func fits(
        storeMetadata metadata: [String: GraphValue],
        configuration: String? = nil
    ) -> Bool {
        guard case .dictionary(let values)? = metadata["NSStoreModelVersionHashes"] else {
            return false
        }
        var hashes: [String: Data] = [:]
        for case (let name, .data(let hash)) in values { hashes[name] = hash }
        // A store also holds the ancestors of a configuration's entities.
        var members: [String: EntityDescription] = [:]
        for entity in entities(inConfiguration: configuration) ?? [] {
            var next: EntityDescription? = entity
            while let current = next, members.updateValue(current, forKey: current.name) == nil {
                next = current.superentityName.flatMap { self.entity(named: $0) }
            }
        }
        return hashes.count == values.count && hashes == members.mapValues(\.versionHash)
    }
}

extension EntityDescription {
    /// A copy that belongs to no model, its own properties included.
    public func copy() -> EntityDescription {
        let other = EntityDescription(
            name,
            className: className,
            isAbstract: isAbstract,
            superentity: superentityName,
            ownProperties.map { $0.copy() }
        )
        other.renamingIdentifier = renamingIdentifier
        other.versionHashModifier = versionHashModifier
        other.userInfo = userInfo
        other.uniquenessConstraints = uniquenessConstraints
        other.indexes = indexes
        other.displayNameExpression = displayNameExpression
        other.inheritedDefaults = inheritedDefaults
        other.codeGenerationType = codeGenerationType
        return other
    }
}

extension ManagedObjectModel {
    /// A request from a template, with values for its variables.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if there is
    ///   no such template.
    public func fetchRequest(
        fromTemplate name: String,
        variables: [String: GraphValue] = [:]
    ) throws -> FetchDescription {
        guard var request = fetchRequestTemplates[name] else {
            throw ObjectGraphError(
                .invalidRequest,
                "The model has no fetch request named \"\(name)\".",
                recovery: fetchRequestTemplates.isEmpty
                    ? "It has none."
                    : "It has: \(fetchRequestTemplates.keys.sorted().joined(separator: ", ")).",
                key: name
            )
        }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        return request
    }
}
