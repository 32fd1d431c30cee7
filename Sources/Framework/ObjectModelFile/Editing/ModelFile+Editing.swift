public import ObjectModel

// Changing a model as the graphical editor does. References to a renamed or removed part are
// updated, and a renamed part keeps its old name as renaming identifier, so that migration finds
// it. A change that is not possible throws before anything has changed. The model must not be in
// use.

extension ModelFile {
    /// Adds an entity with its class.
    ///
    /// - Throws: `ObjectGraphError` if the name is taken or invalid, or if the parent does not
    ///   exist.
    public mutating func addEntity(
        _ name: String,
        parent: String? = nil,
        isAbstract: Bool = false,
        className: String? = nil
    ) throws {
        try checkName(name)
        if model.entity(named: name) != nil { throw taken("entity", name) }
        if let parent { _ = try entity(parent) }
        model.add(
            EntityDescription(
                name,
                className: className ?? name,
                isAbstract: isAbstract,
                superentity: parent
            )
        )
    }

    /// Adds a property to an entity; if a relationship's inverse has a new name, the inverse is
    /// added too.
    ///
    /// - Throws: `ObjectGraphError` if the entity does not exist, or if the name is taken in it or
    ///   in one of its relatives.
    public mutating func add(_ property: PropertyDescription, to name: String) throws {
        let entity = try entity(name)
        try checkName(property.name)
        try checkFree(property.name, in: entity)
        if let relationship = property as? RelationshipDescription {
            let destination = try self.entity(relationship.destinationName)
            if let inverse = relationship.inverseName {
                try checkName(inverse)
                let known = destination.ownProperties.first { $0.name == inverse }
                guard let known = known as? RelationshipDescription else {
                    throw missing("relationship", "\(destination.name).\(inverse)")
                }
                known.inverseName = relationship.name
            }
        }
        entity.add(property)
    }

    /// Adds two relationships, each the inverse of the other.
    ///
    /// - Throws: `ObjectGraphError` if an entity does not exist or a name is taken.
    public mutating func add(
        _ relationship: RelationshipDescription,
        to name: String,
        inverse: RelationshipDescription
    ) throws {
        let destination = try entity(relationship.destinationName)
        let entity = try entity(name)
        for name in [relationship.name, inverse.name] { try checkName(name) }
        try checkFree(relationship.name, in: entity)
        try checkFree(inverse.name, in: destination)
        if entity === destination, relationship.name == inverse.name {
            throw taken("property", "\(name).\(inverse.name)")
        }
        relationship.inverseName = inverse.name
        inverse.inverseName = relationship.name
        inverse.destinationName = name
        entity.add(relationship)
        destination.add(inverse)
    }

    /// Renames an entity and updates parents, relationships, requests and configurations.
    ///
    /// - Throws: `ObjectGraphError` if the entity does not exist, or if the new name is taken or
    ///   invalid.
    /// - Complexity: O(properties).
    public mutating func renameEntity(_ old: String, to new: String) throws {
        let entity = try entity(old)
        try checkName(new)
        if model.entity(named: new) != nil { throw taken("entity", new) }
        if entity.renamingIdentifier == nil { entity.renamingIdentifier = old }
        if entity.className == old { entity.className = new }
        entity.name = new
        for other in model.entities {
            if other.superentityName == old { other.superentityName = new }
            for property in other.ownProperties {
                if let relationship = property as? RelationshipDescription,
                    relationship.destinationName == old
                {
                    relationship.destinationName = new
                }
                if let fetched = property as? FetchedPropertyDescription,
                    fetched.fetchRequest.entityName == old
                {
                    fetched.fetchRequest.entityName = new
                }
            }
        }
        for (name, request) in model.fetchRequestTemplates where request.entityName == old {
            model.fetchRequestTemplates[name]?.entityName = new
        }
        for name in model.configurations.keys {
            model.configurations[name] = model.configurations[name]?.map { $0 == old ? new : $0 }
        }
        move(ModelPlace.entity(old), to: .entity(new))
        compoundIndexes[new] = compoundIndexes.removeValue(forKey: old)
        layout[new] = layout.removeValue(forKey: old)
    }

    /// Renames a property and updates everything that names it: its inverse, constraints, indexes,
    /// and the key paths in predicates, orders and columns of requests and fetched properties, in
    /// derivations and in partial indexes.
    ///
    /// Validation predicates do not change, because they are about the value itself.
    ///
    /// - Returns: the places where a key path through a variable of unknown type has the old name;
    ///   they are not changed, and a person has to decide.
    /// - Throws: `ObjectGraphError` if the property does not exist, or if the new name is taken or
    ///   invalid.
    /// - Complexity: O(properties).
    @discardableResult
    public mutating func renameProperty(
        _ old: String,
        of name: String,
        to new: String
    ) throws -> [String] {
        let entity = try entity(name)
        let property = try self.property(old, of: entity)
        try checkName(new)
        try checkFree(new, in: entity)
        if property.renamingIdentifier == nil { property.renamingIdentifier = old }
        let doubts = rewriteKeyPaths(naming: property, to: new)
        property.name = new
        for relationship in relationships(to: entity) where relationship.inverseName == old {
            relationship.inverseName = new
        }
        let kin = relatives(of: entity)
        for other in kin {
            other.uniquenessConstraints = other.uniquenessConstraints.map { names in
                names.map { $0 == old ? new : $0 }
            }
            for index in other.indexes.indices {
                for element in other.indexes[index].elements.indices
                where other.indexes[index].elements[element].property == old
                    && !other.indexes[index].elements[element].isExpression
                {
                    other.indexes[index].elements[element].property = new
                }
            }
        }
        move(.property(old, of: name), to: .property(new, of: name))
        return doubts
    }

    /// Removes an entity, the relationships that lead to it and the requests for it.
    ///
    /// - Returns: the other removed parts, by place.
    /// - Throws: `ObjectGraphError` if the entity does not exist or has subentities.
    @discardableResult
    public mutating func removeEntity(_ name: String) throws -> [String] {
        _ = try entity(name)
        if let child = model.entities.first(where: { $0.superentityName == name }) {
            throw ObjectGraphError(
                .invalidModel,
                "\(name) is the parent of \(child.name).",
                recovery: "Remove or move its subentities first."
            )
        }
        var removed: [String] = []
        for other in model.entities where other.name != name {
            for property in other.ownProperties {
                let target =
                    (property as? RelationshipDescription)?.destinationName
                    ?? (property as? FetchedPropertyDescription)?.fetchRequest.entityName
                if target != name { continue }
                other.removeProperty(named: property.name)
                forget(.property(property.name, of: other.name))
                removed.append("\(other.name).\(property.name)")
            }
        }
        for (request, description) in model.fetchRequestTemplates
        where description.entityName == name {
            model.fetchRequestTemplates[request] = nil
            forget(.request(request))
            removed.append("fetch request \(request)")
        }
        model.removeEntity(named: name)
        forget(.entity(name))
        compoundIndexes[name] = nil
        layout[name] = nil
        return removed.sorted()
    }

    /// Removes a property, the inverse's reference to it, and the constraints and indexes that name
    /// it.
    ///
    /// - Throws: `ObjectGraphError` if the entity or the property does not exist.
    public mutating func removeProperty(_ name: String, of owner: String) throws {
        let entity = try entity(owner)
        let property = try self.property(name, of: entity)
        if property is RelationshipDescription {
            for relationship in relationships(to: entity) where relationship.inverseName == name {
                relationship.inverseName = nil
            }
        }
        for other in relatives(of: entity) {
            other.uniquenessConstraints.removeAll { $0.contains(name) }
            other.indexes.removeAll { index in index.elements.contains { $0.property == name } }
        }
        entity.removeProperty(named: name)
        forget(.property(name, of: owner))
    }

    /// Adds a fetch request template, or replaces it; `nil` removes it.
    ///
    /// - Throws: `ObjectGraphError` if the name is invalid, or if the entity of the request or the
    ///   template to remove does not exist.
    public mutating func setFetchRequest(_ request: FetchDescription?, named name: String) throws {
        if let request {
            try checkName(name)
            _ = try entity(request.entityName)
        } else if model.fetchRequestTemplates[name] == nil {
            throw missing("fetch request", name)
        }
        forget(.request(name))
        model.fetchRequestTemplates[name] = request
    }

    /// Adds a configuration with some entities, or replaces it; `nil` removes it.
    ///
    /// - Throws: `ObjectGraphError` if the name is invalid, or if an entity or the configuration to
    ///   remove does not exist.
    public mutating func setConfiguration(_ members: [String]?, named name: String) throws {
        if let members {
            if name.isEmpty { throw badName(name) }
            for member in members { _ = try entity(member) }
        } else if model.configurations[name] == nil {
            throw missing("configuration", name)
        }
        model.configurations[name] = members
    }

    // MARK: Inside

    private func entity(_ name: String) throws -> EntityDescription {
        if let entity = model.entity(named: name) { return entity }
        throw missing("entity", name)
    }

    private func property(
        _ name: String,
        of entity: EntityDescription
    ) throws -> PropertyDescription {
        if let property = entity.ownProperties.first(where: { $0.name == name }) {
            return property
        }
        throw missing("property", "\(entity.name).\(name)")
    }

    /// The entity, its ancestors and its descendants.
    private func relatives(of entity: EntityDescription) -> [EntityDescription] {
        func isAncestor(_ ancestor: EntityDescription, of entity: EntityDescription) -> Bool {
            var seen: Set<String> = []
            var current: EntityDescription? = entity
            while let known = current, seen.insert(known.name).inserted {
                if known === ancestor { return true }
                current = known.superentityName.flatMap { model.entity(named: $0) }
            }
            return false
        }
        return model.entities.filter { isAncestor($0, of: entity) || isAncestor(entity, of: $0) }
    }

    private func relationships(to entity: EntityDescription) -> [RelationshipDescription] {
        let names = Set(relatives(of: entity).map(\.name))
        return model.entities.flatMap(\.ownProperties)
            .compactMap { $0 as? RelationshipDescription }
            .filter { names.contains($0.destinationName) }
    }

    private func checkFree(_ name: String, in entity: EntityDescription) throws {
        for other in relatives(of: entity)
        where other.ownProperties.contains(where: { $0.name == name }) {
            throw taken("property", "\(other.name).\(name)")
        }
    }

    private func checkName(_ name: String) throws {
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        guard isName, let first = name.first, !first.isNumber else { throw badName(name) }
    }

    private func badName(_ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "\"\(name)\" is not a name.",
            recovery: "Use letters, digits and underscores, a letter first."
        )
    }

    private func taken(_ kind: String, _ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "There is a \(kind) \(name) already.",
            recovery: "Choose another name, or rename that one first.",
            key: name
        )
    }

    private func missing(_ kind: String, _ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "The \(kind) \(name) does not exist.",
            recovery: "modelgen list shows the existing names.",
            key: name
        )
    }

    /// Moves the data that only the file has to the new place.
    private mutating func move(_ old: ModelPlace, to new: ModelPlace) {
        func moved(_ place: ModelPlace) -> ModelPlace {
            guard place.lies(in: old) else { return place }
            return ModelPlace(new.description + place.description.dropFirst(old.description.count))
        }
        extras = Dictionary(extras.map { (moved($0.key), $0.value) }) { first, _ in first }
        predicateTexts = Dictionary(predicateTexts.map { (moved($0.key), $0.value) }) { first, _ in
            first
        }
    }

    private mutating func forget(_ place: ModelPlace) {
        extras = extras.filter { !$0.key.lies(in: place) }
        predicateTexts = predicateTexts.filter { !$0.key.lies(in: place) }
    }
}

extension ModelPlace {
    /// Whether this is the other place or inside it: `Task.title` is inside `Task`.
    fileprivate func lies(in place: ModelPlace) -> Bool {
        if self == place { return true }
        return [".", ","].contains { description.hasPrefix(place.description + $0) }
    }
}
