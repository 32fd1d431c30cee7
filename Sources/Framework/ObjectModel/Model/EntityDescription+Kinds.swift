extension EntityDescription {
    /// All attributes by slot order, inherited ones included; composite attributes as a whole.
    ///
    /// - Complexity: O(1); O(properties) in a draft.
    public var attributes: [AttributeDescription] {
        isLaidOut ? attributeList : draft(AttributeDescription.self)
    }

    /// All relationships by slot order, inherited ones included.
    ///
    /// - Complexity: O(1), as for ``attributes``.
    public var relationships: [RelationshipDescription] {
        isLaidOut ? relationshipList : draft(RelationshipDescription.self)
    }
}
