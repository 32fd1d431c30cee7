// Freezing a model, in three steps:
//   1. check it and resolve names (parents, destinations, inverses);
//   2. number the entities depth-first, alphabetically, so a hierarchy is one range of numbers;
//   3. lay out slots: the parent's first, then attributes, relationships and fetched properties
//      by name, so that a slot means the same in an entity and all its descendants.

extension ManagedObjectModel {
    /// Checks the model, resolves it and makes it immutable.
    ///
    /// Safe to call again.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` for the first
    ///   contradiction, with its place and what to do.
    /// - Complexity: O(properties).
    public func freeze() throws {
        if isFrozen { return }
        if let issue = check().first(where: \.isError) {
            throw ObjectGraphError(.invalidModel, issue.description)
        }
        for entity in entities {
            entity.parent = entity.superentityName.flatMap { self.entity(named: $0) }
        }
        let children = Dictionary(grouping: entities) {
            $0.parent.map { ObjectIdentifier($0) }
        }
        for entity in entities {
            entity.children = (children[ObjectIdentifier(entity)] ?? [])
                .sorted { $0.name < $1.name }
        }
        var byNumber: [EntityDescription?] = [nil]
        for entity in entities.filter({ $0.parent == nil }).sorted(by: { $0.name < $1.name }) {
            entity.number(into: &byNumber)
        }
        entitiesByNumber = byNumber
        for case let entity? in byNumber { entity.layOut(composites) }
        for entity in entities {
            for case let relationship as RelationshipDescription in entity.ownProperties {
                let destination = self.entity(named: relationship.destinationName)
                relationship.target = destination
                relationship.partner =
                    relationship.inverseName.flatMap { destination?.property(named: $0) }
                    as? RelationshipDescription
                relationship.isResolved = true
            }
        }
        for entity in entities where entity.parent == nil {
            let members = byNumber[Int(entity.number)...Int(entity.lastNumber)].compactMap { $0 }
            let names = Set(members.flatMap { $0.slotByName.keys })
            for member in members { member.hierarchyNames = names }
        }
        isFrozen = true
    }
}

extension EntityDescription {
    fileprivate func number(into entities: inout [EntityDescription?]) {
        number = UInt16(entities.count)
        entities.append(self)
        for entity in children { entity.number(into: &entities) }
        lastNumber = UInt16(entities.count - 1)
    }

    fileprivate func layOut(_ composites: [String: [PropertyDescription]]) {
        slots = parent?.slots ?? []
        func rank(_ property: PropertyDescription) -> Int {
            property is AttributeDescription ? 0 : property is RelationshipDescription ? 1 : 2
        }
        for property in ownProperties.sorted(by: { (rank($0), $0.name) < (rank($1), $1.name) }) {
            append(property, composites)
        }
        slotByName = Dictionary(uniqueKeysWithValues: slots.map { ($0.name, $0.slot) })
        isLaidOut = true
        let all = slots.compactMap { $0 as? AttributeDescription }
        attributeList = all.filter { $0.declared === $0 }
        storedAttributes = all.filter(\.isStored)
        attributeChecks = slots.compactMap {
            guard let attribute = $0 as? AttributeDescription, attribute.type != .composite else {
                return nil
            }
            return AttributeCheck(
                name: attribute.name,
                slot: attribute.slot,
                type: attribute.type,
                isOptional: attribute.isOptional,
                isDerived: attribute.isDerived,
                hasRules: !attribute.rules.isEmpty
            )
        }
        compositeSlots = attributes.filter { $0.type == .composite }.map(\.slot)
        transformableSlots = storedAttributes.filter { $0.type == .transformable }.map(\.slot)
        derivations = slots.compactMap { property in
            (property as? AttributeDescription)?.derivation.flatMap { Derivation($0) }
                .map { (property.slot, $0) }
        }
        relationshipList = slots.compactMap { $0 as? RelationshipDescription }
        layOutDefaults()
    }

    /// Gives a property its slot; the elements of a composite attribute get the slots after it.
    private func append(
        _ property: PropertyDescription,
        _ composites: [String: [PropertyDescription]]
    ) {
        property.slot = slots.count
        slots.append(property)
        guard let attribute = property as? AttributeDescription, attribute.type == .composite
        else { return }
        if attribute.composite == nil { attribute.makeElements(composites) }
        for element in attribute.elements { append(element, composites) }
    }
}
