/// A contradiction or a risk in a model, with its place and what to do about it.
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
    /// Whether no store can be opened with the model; false for a mere risk.
    public var isError: Bool
    /// The entity, or `Entity.property`, concerned.
    public var place: String
    /// What is wrong, in one sentence.
    public var message: String
    /// What to do about it, in one sentence.
    public var recovery: String

    package init(isError: Bool, place: String, message: String, recovery: String) {
        self.isError = isError
        self.place = place
        self.message = message
        self.recovery = recovery
    }

    public var description: String { "\(place): \(message) \(recovery)" }
}

extension ManagedObjectModel {
    /// Everything that is wrong or risky, errors first.
    ///
    /// Cost: one pass over the model.
    public func check() -> [ModelIssue] {
        var issues: [ModelIssue] = []
        func report(_ place: String, _ message: String, _ recovery: String, _ isError: Bool) {
            issues.append(
                ModelIssue(isError: isError, place: place, message: message, recovery: recovery)
            )
        }
        for (name, same) in Dictionary(grouping: entities, by: \.name) where same.count > 1 {
            report(name, "\(same.count) entities have this name.", "Rename all but one.", true)
        }
        for entity in entities {
            checkHierarchy(of: entity, report)
            var seen = inheritedNames(of: entity)
            for name in entity.inheritedDefaults.keys.sorted() where !seen.contains(name) {
                report(
                    "\(entity.name).\(name)",
                    "A default is given for an attribute that is not inherited.",
                    "Give it to the attribute itself, or name an attribute of an ancestor.",
                    true
                )
            }
            for property in entity.ownProperties {
                let place = "\(entity.name).\(property.name)"
                if property.name.contains(".") {
                    report(place, "The name holds a full stop.", "Rename it.", true)
                }
                if !seen.insert(property.name).inserted {
                    report(
                        place,
                        "The name is used twice, perhaps also by a parent.",
                        "Rename one.",
                        true
                    )
                }
                switch property {
                case let attribute as AttributeDescription: check(attribute, place, report)
                case let relationship as RelationshipDescription: check(relationship, place, report)
                default: break
                }
            }
        }
        // A model under construction may name an entity that it gets later; opening a store refuses
        // it.
        issues += derivationIssues()
        checkIndexes(report)
        checkRequests(report)
        for (name, members) in configurations {
            for member in members where entity(named: member) == nil {
                report(
                    "configuration \(name)",
                    "It lists the unknown entity \"\(member)\".",
                    "Remove it or add the entity.",
                    true
                )
            }
        }
        return issues.sorted { ($0.isError ? 0 : 1, $0.place) < ($1.isError ? 0 : 1, $1.place) }
    }

    private typealias Report = (
        _ place: String, _ message: String, _ recovery: String, _ isError: Bool
    )
        -> Void

    private func checkHierarchy(of entity: EntityDescription, _ report: Report) {
        var seen: Set<String> = [entity.name]
        var current = entity
        while let parentName = current.superentityName {
            guard let parent = self.entity(named: parentName) else {
                report(
                    current.name,
                    "Its parent \"\(parentName)\" does not exist.",
                    "Name an entity of this model, or none.",
                    true
                )
                return
            }
            if !seen.insert(parentName).inserted {
                report(entity.name, "It is its own ancestor.", "Break the circle.", true)
                return
            }
            current = parent
        }
    }

    private func inheritedNames(of entity: EntityDescription) -> Set<String> {
        var names: Set<String> = []
        var steps = 0
        var current = entity
        while let name = current.superentityName, let parent = self.entity(named: name),
            steps < entities.count
        {
            names.formUnion(parent.ownProperties.map(\.name))
            current = parent
            steps += 1
        }
        return names
    }

    private func check(_ attribute: AttributeDescription, _ place: String, _ report: Report) {
        if attribute.type == .undefined, !attribute.isTransient {
            report(place, "The attribute has no type.", "Give it one, or make it transient.", true)
        }
        if let flaw = attribute.flawOfDefault {
            report(place, flaw, "Change one of them.", true)
        }
        if attribute.type == .composite, let flaw = flaw(ofComposite: attribute.compositeName) {
            report(place, flaw.message, flaw.recovery, true)
        }
        if let derivation = attribute.derivation {
            check(derivation, place, report)
            if attribute.isTransient {
                report(
                    place,
                    "The attribute is derived and transient: only the context that saves has its value.",
                    "Store it, or compute it in the class.",
                    false
                )
            }
        }
    }

    private func check(_ derivation: String, _ place: String, _ report: Report) {
        guard let parsed = Derivation(derivation) else {
            report(
                place,
                "The derivation \"\(derivation)\" is none of the known forms; the value stays nil.",
                "Use a key path, canonical:(…), uppercase:(…), lowercase:(…), now(), or a path with "
                    + "@count, @sum, @min, @max or @avg.",
                false
            )
            return
        }
        if parsed.continuesAfterOperator {
            report(
                place,
                "The derivation \"\(derivation)\" goes on after its collection operator.",
                "Write the operator last, such as staff.salary.@sum or staff.@count.",
                true
            )
        }
    }

    private func check(_ relationship: RelationshipDescription, _ place: String, _ report: Report) {
        guard let destination = entity(named: relationship.destinationName) else {
            report(
                place,
                relationship.destinationName.isEmpty
                    ? "The relationship has no destination."
                    : "The destination \"\(relationship.destinationName)\" does not exist.",
                "Name an entity of this model.",
                true
            )
            return
        }
        guard let inverseName = relationship.inverseName else {
            report(
                place,
                "The relationship has no inverse, so the other side is not kept in step.",
                "Add one in \(destination.name).",
                false
            )
            return
        }
        guard let inverse = declared(inverseName, in: destination) else {
            report(
                place,
                "The inverse \(destination.name).\(inverseName) is not a relationship.",
                "Name a relationship of \(destination.name).",
                true
            )
            return
        }
        if inverse.inverseName != relationship.name {
            report(
                place,
                "The inverse \(destination.name).\(inverseName) has "
                    + (inverse.inverseName.map { "another inverse, \"\($0)\"." } ?? "no inverse."),
                "Make each the inverse of the other.",
                false
            )
        }
        if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
            report(
                place,
                "At least \(relationship.minCount) and at most \(relationship.maxCount) objects are"
                    + " asked for.",
                "Change one of the counts.",
                false
            )
        }
    }

    /// Constraints and indexes must name attributes that their entity has.
    private func checkIndexes(_ report: Report) {
        for entity in entities {
            let names = inheritedNames(of: entity).union(entity.ownProperties.map(\.name))
            func isKnown(_ name: String) -> Bool {
                // The elements of composite attributes have columns, the whole has none.
                names.contains(String(name.prefix { $0 != "." }))
            }
            for constraint in entity.uniquenessConstraints {
                for name in constraint where !isKnown(name) {
                    report(
                        "\(entity.name), uniqueness constraint",
                        "It names \"\(name)\", which the entity does not have; nothing is kept unique.",
                        "Name attributes of \(entity.name), or remove the constraint.",
                        false
                    )
                }
            }
            for index in entity.indexes {
                for element in index.elements
                where !element.isExpression && !isKnown(element.property) {
                    report(
                        "\(entity.name), index \(index.name)",
                        "It names \"\(element.property)\", which the entity does not have.",
                        "Name properties of \(entity.name), or remove the element.",
                        false
                    )
                }
            }
        }
    }

    /// Requests must ask for entities of the model.
    private func checkRequests(_ report: Report) {
        func check(_ request: FetchDescription, _ place: String) {
            if entity(named: request.entityName) != nil { return }
            report(
                place,
                request.entityName.isEmpty
                    ? "It asks for no entity."
                    : "It asks for the unknown entity \"\(request.entityName)\".",
                "Name an entity of this model.",
                true
            )
        }
        for (name, request) in fetchRequestTemplates { check(request, "fetch request \(name)") }
        for entity in entities {
            for case let property as FetchedPropertyDescription in entity.ownProperties {
                check(property.fetchRequest, "\(entity.name).\(property.name)")
            }
        }
    }

    private func declared(
        _ name: String,
        in entity: EntityDescription
    ) -> RelationshipDescription? {
        var current: EntityDescription? = entity
        var steps = 0
        while let here = current, steps <= entities.count {
            for case let found as RelationshipDescription in here.ownProperties
            where found.name == name {
                return found
            }
            current = here.superentityName.flatMap { self.entity(named: $0) }
            steps += 1
        }
        return nil
    }
}
