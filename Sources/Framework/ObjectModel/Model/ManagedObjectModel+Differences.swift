extension ManagedObjectModel {
    /// Where two models differ, in the order of places; empty if they are equal value for value.
    ///
    /// The order in which entities and properties were added does not count.
    ///
    /// - Complexity: O(properties).
    public func differences(from other: ManagedObjectModel) -> [String] {
        var places: [String] = []
        let names = Set(entities.map(\.name)).union(other.entities.map(\.name))
        for name in names.sorted() {
            guard let left = entity(named: name), let right = other.entity(named: name) else {
                places.append(name)
                continue
            }
            places += left.differences(from: right)
        }
        if configurations.mapValues(Set.init) != other.configurations.mapValues(Set.init) {
            places.append("configurations")
        }
        if fetchRequestTemplates != other.fetchRequestTemplates {
            places.append("fetch request templates")
        }
        if versionIdentifiers != other.versionIdentifiers { places.append("version identifiers") }
        for name in Set(composites.keys).union(other.composites.keys).sorted() {
            let left = composites[name] ?? []
            let right = other.composites[name] ?? []
            if left.count != right.count || !zip(left, right).allSatisfy({ $0.isEqual(to: $1) }) {
                places.append("composite \(name)")
            }
        }
        return places
    }
}

extension EntityDescription {
    /// Where two entities differ: the entity's name for itself, `Entity.property` for a property.
    public func differences(from other: EntityDescription) -> [String] {
        let same =
            name == other.name && className == other.className && isAbstract == other.isAbstract
            && superentityName == other.superentityName
            && renamingIdentifier == other.renamingIdentifier
            && versionHashModifier == other.versionHashModifier && userInfo == other.userInfo
            && Set(uniquenessConstraints) == Set(other.uniquenessConstraints)
            && Set(indexes) == Set(other.indexes)
            && displayNameExpression == other.displayNameExpression
            && constantDefaults == other.constantDefaults
            && codeGenerationType == other.codeGenerationType
        let left = Dictionary(grouping: ownProperties, by: \.name)
        let right = Dictionary(grouping: other.ownProperties, by: \.name)
        let names = Set(left.keys).union(right.keys).sorted().filter { name in
            guard let ours = left[name], let theirs = right[name], ours.count == theirs.count
            else { return true }
            return !zip(ours, theirs).allSatisfy { $0.isEqual(to: $1) }
        }
        return (same ? [] : [name]) + names.map { "\(name).\($0)" }
    }
}

extension EntityDescription {
    /// The defaults of inherited attributes, without those that only code makes.
    private var constantDefaults: [String: GraphValue] {
        inheritedDefaults.mapValues(\.value).filter { !$0.value.isNull }
    }
}

extension PropertyDescription {
    /// Whether two properties are equal value for value, whatever entity they belong to.
    package func isEqual(to other: PropertyDescription) -> Bool {
        guard
            name == other.name, isOptional == other.isOptional, isTransient == other.isTransient,
            isIndexed == other.isIndexed, isSearched == other.isSearched,
            renamingIdentifier == other.renamingIdentifier,
            versionHashModifier == other.versionHashModifier, userInfo == other.userInfo
        else { return false }
        switch (self, other) {
        case (let left as AttributeDescription, let right as AttributeDescription):
            return left.hasSameValues(as: right)
        case (let left as RelationshipDescription, let right as RelationshipDescription):
            return left.destinationName == right.destinationName
                && left.inverseName == right.inverseName && left.deleteRule == right.deleteRule
                && left.minCount == right.minCount && left.maxCount == right.maxCount
                && left.isOrdered == right.isOrdered
        case (let left as FetchedPropertyDescription, let right as FetchedPropertyDescription):
            return left.fetchRequest == right.fetchRequest
        default:
            return false
        }
    }
}

extension AttributeDescription {
    fileprivate func hasSameValues(as other: AttributeDescription) -> Bool {
        type == other.type && defaultValue == other.defaultValue
            && defaultValue.kindName == other.defaultValue.kindName
            && Set(rules) == Set(other.rules)
            && valueTransformerName == other.valueTransformerName
            && valueClassName == other.valueClassName
            && allowsExternalStorage == other.allowsExternalStorage
            && preservesValueOnDeletion == other.preservesValueOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
            && usesScalarType == other.usesScalarType && derivation == other.derivation
            && compositeName == other.compositeName
    }
}
