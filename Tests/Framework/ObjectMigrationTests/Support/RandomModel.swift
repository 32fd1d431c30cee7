import FoundationEssentials
import ObjectModel
import SeededRandom

/// Random models, and random changes of them as people make them from version to version.
struct RandomModel {
    var random: SeededRandom
    private var serial = 0

    init(_ random: SeededRandom) { self.random = random }

    private mutating func name(_ prefix: String) -> String {
        serial += 1
        // Names in an order that differs from that of their making.
        let letter = random.pick(["a", "B", "m", "Q", "z"])
        return "\(prefix)\(letter)\(serial)"
    }

    private mutating func entityName() -> String {
        serial += 1
        return "\(random.pick(["A", "F", "M", "T", "Z"]))e\(serial)"
    }

    // MARK: Making

    mutating func make() -> ManagedObjectModel {
        let model = ManagedObjectModel()
        for _ in 0..<(2 + random.below(4)) { addEntity(to: model) }
        for _ in 0..<(2 + random.below(6)) { addRelationship(to: model) }
        return model
    }

    private mutating func addEntity(to model: ManagedObjectModel) {
        let parent = random.chance(2) ? random.draw(model.entities)?.name : nil
        let entity = EntityDescription(entityName(), superentity: parent)
        entity.isAbstract = parent == nil && random.chance(5)
        for _ in 0..<random.below(5) { entity.add(attribute()) }
        model.add(entity)
    }

    private mutating func attribute() -> AttributeDescription {
        let types: [AttributeType] = [
            .integer16, .integer64, .decimal, .double, .string, .boolean, .date, .binary, .uuid,
        ]
        let attribute = AttributeDescription(name("a"), random.pick(types))
        if random.chance(2) { attribute.defaultValue = fallback(attribute.type) }
        attribute.isOptional = attribute.defaultValue.isNull || random.chance(2)
        attribute.allowsExternalStorage = attribute.type == .binary && random.chance(2)
        attribute.isSearched = attribute.type == .string && random.chance(2)
        return attribute
    }

    private func fallback(_ type: AttributeType) -> GraphValue {
        switch type {
        case .integer16, .integer64: .int(-7)
        case .decimal: .decimal(Decimal(string: "12345678901234567.25") ?? 0)
        case .double: .double(0.1)
        case .string: .string("it's\u{0} a \"default\"")
        case .boolean: .bool(true)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0.5))
        case .binary: .data(Data([0, 1, 2, 255]))
        case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        default: .null
        }
    }

    private mutating func addRelationship(to model: ManagedObjectModel) {
        guard let from = random.draw(model.entities), let to = random.draw(model.entities) else {
            return
        }
        let one = RelationshipDescription(name("r"), to: to.name)
        shape(one)
        from.add(one)
        switch random.below(5) {
        case 0: break
        case 1 where from === to && one.isToMany && !one.isOrdered: one.inverseName = one.name
        default:
            let other = RelationshipDescription(name("i"), to: from.name, inverse: one.name)
            shape(other)
            to.add(other)
            one.inverseName = other.name
        }
    }

    private mutating func shape(_ relationship: RelationshipDescription) {
        relationship.maxCount = random.chance(2) ? 1 : 0
        relationship.isOrdered = relationship.isToMany && random.chance(3)
    }

    // MARK: Changing

    /// A later version of a model.
    mutating func change(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        let next = try ModelArchive(model).model()
        for _ in 0..<(1 + random.below(5)) { try changeOnce(next) }
        return next
    }

    private mutating func changeOnce(_ model: ManagedObjectModel) throws {
        guard let entity = random.draw(model.entities) else { return }
        let attributes = entity.ownProperties.compactMap { $0 as? AttributeDescription }
        let relationships = entity.ownProperties.compactMap { $0 as? RelationshipDescription }
        switch random.below(14) {
        case 0: addEntity(to: model)
        case 1: addRelationship(to: model)
        case 2: entity.add(attribute())
        case 3: if let attribute = random.draw(attributes) { rename(attribute) }
        case 4:
            if let attribute = random.draw(attributes) {
                entity.removeProperty(named: attribute.name)
            }
        case 5:
            if let attribute = random.draw(attributes) {
                attribute.isOptional.toggle()
                if attribute.defaultValue.isNull {
                    attribute.defaultValue = fallback(attribute.type)
                }
            }
        case 6:
            if let attribute = random.draw(attributes), attribute.type == .binary {
                attribute.allowsExternalStorage.toggle()
            }
        case 7: if let relationship = random.draw(relationships) { remove(relationship, model) }
        case 8:
            if let relationship = random.draw(relationships) {
                relationship.maxCount = 0
                relationship.isOrdered =
                    relationship.inverseName != relationship.name && random.chance(2)
            }
        case 9: rename(entity, model)
        case 10: remove(entity, model)
        case 11: move(entity, model)
        case 12: if let relationship = random.draw(relationships) { rename(relationship, model) }
        default: exchangeNames(attributes)
        }
    }

    private mutating func rename(_ attribute: AttributeDescription) {
        attribute.renamingIdentifier = attribute.canonicalName
        attribute.name = name("n")
    }

    private mutating func rename(
        _ relationship: RelationshipDescription,
        _ model: ManagedObjectModel
    ) {
        let old = relationship.name
        relationship.renamingIdentifier = relationship.canonicalName
        relationship.name = name("n")
        for case let other as RelationshipDescription in model.entities.flatMap(\.ownProperties)
        where other.inverseName == old {
            other.inverseName = relationship.name
        }
    }

    /// Two attributes of one type with each other's name: nothing may be lost or mixed up.
    private mutating func exchangeNames(_ attributes: [AttributeDescription]) {
        guard let first = random.draw(attributes),
            let second = random.draw(attributes.filter { $0 !== first })
        else { return }
        let names = (first.canonicalName, second.canonicalName)
        let (one, two) = (first.name, second.name)
        (first.name, second.name) = (two, one)
        (first.renamingIdentifier, second.renamingIdentifier) = names
        // Renaming identifiers are not part of the version hash.
        first.versionHashModifier = name("version")
    }

    private func remove(_ relationship: RelationshipDescription, _ model: ManagedObjectModel) {
        for case let other as RelationshipDescription in model.entities.flatMap(\.ownProperties)
        where other.inverseName == relationship.name {
            other.inverseName = nil
        }
        relationship.entity?.removeProperty(named: relationship.name)
    }

    private mutating func rename(_ entity: EntityDescription, _ model: ManagedObjectModel) {
        let copy = entity.copy()
        copy.renamingIdentifier = entity.canonicalName
        copy.name = entityName()
        replace(entity, by: copy, model)
    }

    private func replace(
        _ entity: EntityDescription,
        by copy: EntityDescription,
        _ model: ManagedObjectModel
    ) {
        model.removeEntity(named: entity.name)
        model.add(copy)
        for other in model.entities {
            if other.superentityName == entity.name { other.superentityName = copy.name }
            for case let relationship as RelationshipDescription in other.ownProperties
            where relationship.destinationName == entity.name {
                relationship.destinationName = copy.name
            }
        }
    }

    private func remove(_ entity: EntityDescription, _ model: ManagedObjectModel) {
        if model.entities.count < 3
            || model.entities.contains(where: { $0.superentityName == entity.name })
        {
            return
        }
        for other in model.entities {
            for case let relationship as RelationshipDescription in other.ownProperties
            where relationship.destinationName == entity.name {
                remove(relationship, model)
            }
        }
        for case let relationship as RelationshipDescription in entity.ownProperties {
            remove(relationship, model)
        }
        model.removeEntity(named: entity.name)
    }

    /// Into the hierarchy, out of it, under a new parent; or a property up or down.
    private mutating func move(_ entity: EntityDescription, _ model: ManagedObjectModel) {
        let parent = entity.superentityName.flatMap { model.entity(named: $0) }
        switch random.below(4) {
        case 0:
            entity.superentityName = parent?.superentityName
        case 1:
            let new = EntityDescription(entityName(), superentity: entity.superentityName)
            new.isAbstract = true
            model.add(new)
            entity.superentityName = new.name
        case 2:
            if let parent,
                let attribute = random.draw(
                    entity.ownProperties.compactMap { $0 as? AttributeDescription }
                )
            {
                entity.removeProperty(named: attribute.name)
                parent.add(attribute.copy())
            }
        default:
            if let parent,
                let attribute = random.draw(
                    parent.ownProperties.compactMap { $0 as? AttributeDescription }
                )
            {
                parent.removeProperty(named: attribute.name)
                for child in model.entities where child.superentityName == parent.name {
                    child.add(attribute.copy())
                }
            }
        }
    }
}
