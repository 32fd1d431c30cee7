import ObjectModel

/// Renames a property in every key path that contains it: in predicates, orders and columns of
/// requests, derivations, indexes.
///
/// A key path is followed from entity to entity, so that only this property is renamed and not
/// another one of the same name. If the start of a path is unknown (a `$VARIABLE` of a template)
/// and the name occurs in it, nothing is changed and the place is added to ``doubts``.
struct PropertyRenaming {
    /// The entities of the model by name.
    private let entities: [String: EntityDescription]
    private let property: PropertyDescription
    private let new: String
    /// Whether the current path may contain the property, which cannot be decided.
    private(set) var isDoubtful = false
    private(set) var doubts: [String] = []

    /// The entities of an expression's variables.
    typealias Variables = [String: EntityDescription]

    /// Create and use it while the property still has its old name.
    init(_ property: PropertyDescription, to new: String, in model: ManagedObjectModel) {
        self.property = property
        self.new = new
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Rewrites one part and records its place if it is doubtful.
    mutating func rewrite<T>(_ place: String, _ body: (inout PropertyRenaming) -> T) -> T {
        isDoubtful = false
        let result = body(&self)
        if isDoubtful { doubts.append(place) }
        return result
    }

    // MARK: Key paths

    /// A key path from an entity, and the entity at its end.
    mutating func path(
        _ text: String,
        from start: EntityDescription?
    ) -> (text: String, end: EntityDescription?) {
        var entity = start
        var isKnown = start != nil
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map {
            key -> String in
            let key = String(key)
            if key.hasPrefix("@") || ["self", "SELF"].contains(key) { return key }
            guard let owner = entity, let found = property(key, of: owner) else {
                if !isKnown, key == property.name { isDoubtful = true }
                entity = nil
                return key
            }
            isKnown = true
            entity = destination(of: found)
            return found === property ? new : key
        }
        return (keys.joined(separator: "."), entity)
    }

    /// The property of an entity, its ancestors or its descendants.
    private func property(_ name: String, of entity: EntityDescription) -> PropertyDescription? {
        for other in lineage(of: entity) {
            if let found = other.ownProperties.first(where: { $0.name == name }) { return found }
        }
        for other in entities.values where lineage(of: other).contains(where: { $0 === entity }) {
            if let found = other.ownProperties.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    private func lineage(of entity: EntityDescription) -> [EntityDescription] {
        var result = [entity]
        while let name = result.last?.superentityName, let parent = entities[name],
            !result.contains(where: { $0 === parent })
        {
            result.append(parent)
        }
        return result
    }

    private func destination(of property: PropertyDescription) -> EntityDescription? {
        switch property {
        case let relationship as RelationshipDescription: entities[relationship.destinationName]
        case let fetched as FetchedPropertyDescription: entities[fetched.fetchRequest.entityName]
        default: nil
        }
    }

    // MARK: Predicates and expressions

    mutating func predicate(
        _ predicate: FetchPredicate,
        _ entity: EntityDescription?,
        _ variables: Variables = [:]
    ) -> FetchPredicate {
        switch predicate {
        case .constant, .block: return predicate
        case .and(let parts): return .and(parts.map { self.predicate($0, entity, variables) })
        case .or(let parts): return .or(parts.map { self.predicate($0, entity, variables) })
        case .not(let part): return .not(self.predicate(part, entity, variables))
        case .comparison(var comparison):
            comparison.left = expression(comparison.left, entity, variables).0
            comparison.right = expression(comparison.right, entity, variables).0
            return .comparison(comparison)
        }
    }

    /// An expression and the entity that it leads to.
    mutating func expression(
        _ expression: FetchExpression,
        _ entity: EntityDescription?,
        _ variables: Variables = [:]
    ) -> (FetchExpression, EntityDescription?) {
        func each(_ operand: FetchExpression) -> (FetchExpression, EntityDescription?) {
            self.expression(operand, entity, variables)
        }
        switch expression {
        case .constant, .anyKey: return (expression, nil)
        case .evaluatedObject: return (expression, entity)
        case .variable(let name): return (expression, variables[name])
        case .keyPath(let text):
            let (path, end) = path(text, from: entity)
            return (.keyPath(path), end)
        case .keyPathOf(let operand, let text):
            let (start, reached) = each(operand)
            let (path, end) = path(text, from: reached)
            return (.keyPathOf(start, path), end)
        case .subscripted(let operand, .index(let index)):
            let (start, end) = each(operand)
            return (.subscripted(start, .index(each(index).0)), end)
        case .subscripted(let operand, let position):
            let (start, end) = each(operand)
            return (.subscripted(start, position), end)
        case .function(let name, let arguments):
            return (.function(name, arguments.map { each($0).0 }), nil)
        case .call(let operand, let selector, let arguments):
            return (.call(each(operand).0, selector, arguments.map { each($0).0 }), nil)
        case .aggregate(let elements): return (.aggregate(elements.map { each($0).0 }), nil)
        case .subquery(let collection, let variable, let condition):
            let (members, end) = each(collection)
            var inner = variables
            inner[variable] = end
            return (
                .subquery(members, variable: variable, predicate(condition, entity, inner)), end
            )
        case .union(let left, let right):
            let (first, end) = each(left)
            return (.union(first, each(right).0), end)
        case .intersect(let left, let right):
            let (first, end) = each(left)
            return (.intersect(first, each(right).0), end)
        case .minus(let left, let right):
            let (first, end) = each(left)
            return (.minus(first, each(right).0), end)
        case .conditional(let condition, let first, let second):
            let (left, end) = each(first)
            return (
                .conditional(predicate(condition, entity, variables), left, each(second).0), end
            )
        case .assignment(let name, let operand): return (.assignment(name, each(operand).0), nil)
        case .cast(let operand, let type): return (.cast(each(operand).0, type), nil)
        }
    }

    // MARK: What a model holds

    mutating func request(
        _ request: FetchDescription,
        _ variables: Variables = [:]
    ) -> FetchDescription {
        let entity = entities[request.entityName]
        var result = request
        result.predicate = request.predicate.map { predicate($0, entity, variables) }
        for index in result.sortDescriptors.indices {
            let descriptor = result.sortDescriptors[index]
            result.sortDescriptors[index].keyPath = path(descriptor.keyPath, from: entity).text
        }
        result.relationshipKeyPathsForPrefetching =
            request.relationshipKeyPathsForPrefetching.map { path($0, from: entity).text }
        result.propertiesToFetch = request.propertiesToFetch.map { column($0, entity) }
        result.propertiesToGroupBy = request.propertiesToGroupBy.map { column($0, entity) }
        result.having = request.having.map { predicate($0, entity, variables) }
        return result
    }

    private mutating func column(
        _ column: FetchDescription.Column,
        _ entity: EntityDescription?
    ) -> FetchDescription.Column {
        var result = column
        result.expression = expression(column.expression, entity).0
        // A column that has its path as name keeps that.
        if column.expression == .keyPath(column.name), case .keyPath(let path) = result.expression {
            result.name = path
        }
        return result
    }

    /// `function:(path)` or a path.
    mutating func derivation(_ text: String, _ entity: EntityDescription) -> String {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else {
            return path(text, from: entity).text
        }
        let start = text.index(after: open)
        guard start < close else { return text }
        let path = path(String(text[start..<close]), from: entity).text
        return text[..<start] + path + text[close...]
    }

    /// The text of an index's expression; unchanged if it cannot be parsed.
    mutating func indexExpression(_ text: String, _ entity: EntityDescription) -> String {
        guard let read = try? FetchExpression(format: text) else { return text }
        let written = expression(read, entity).0
        return written == read ? text : written.format
    }
}

extension ModelFile {
    /// Rewrites all key paths of the model that contain a property.
    ///
    /// - Returns: the places where a path through an unknown variable may contain it; they are not
    ///   changed.
    func rewriteKeyPaths(naming property: PropertyDescription, to new: String) -> [String] {
        var renaming = PropertyRenaming(property, to: new, in: model)
        for name in model.fetchRequestTemplates.keys.sorted() {
            guard let request = model.fetchRequestTemplates[name] else { continue }
            let place = ModelPlace.request(name).description
            model.fetchRequestTemplates[name] = renaming.rewrite(place) { $0.request(request) }
        }
        for entity in model.entities {
            for property in entity.ownProperties {
                let place = ModelPlace.property(property.name, of: entity.name).description
                if let fetched = property as? FetchedPropertyDescription {
                    let request = fetched.fetchRequest
                    fetched.fetchRequest = renaming.rewrite(place) {
                        $0.request(request, ["FETCH_SOURCE": entity])
                    }
                }
                if let attribute = property as? AttributeDescription,
                    let derivation = attribute.derivation
                {
                    attribute.derivation = renaming.rewrite(place) {
                        $0.derivation(derivation, entity)
                    }
                }
            }
            for index in entity.indexes.indices {
                let old = entity.indexes[index]
                let place = ModelPlace.index(old.name, of: entity.name).description
                entity.indexes[index].partialPredicate = renaming.rewrite(place) { renaming in
                    old.partialPredicate.map { renaming.predicate($0, entity) }
                }
                for (number, element) in old.elements.enumerated() where element.isExpression {
                    entity.indexes[index].elements[number].property = renaming.rewrite(place) {
                        $0.indexExpression(element.property, entity)
                    }
                }
            }
        }
        return renaming.doubts
    }
}
