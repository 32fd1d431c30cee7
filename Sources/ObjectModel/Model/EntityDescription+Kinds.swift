extension EntityDescription {
    /// All attributes by slot order, inherited ones included.
    ///
    /// Valid once frozen.
    ///
    /// - Complexity: O(1); the list was made of attributes alone when the model was frozen, and
    ///   arrays of references have one layout.
    public var attributes: [AttributeDescription] {
        unsafeBitCast(attributeList, to: [AttributeDescription].self)
    }

    /// All relationships by slot order, inherited ones included.
    ///
    /// Valid once frozen.
    ///
    /// - Complexity: O(1), as for ``attributes``.
    public var relationships: [RelationshipDescription] {
        unsafeBitCast(relationshipList, to: [RelationshipDescription].self)
    }
}
