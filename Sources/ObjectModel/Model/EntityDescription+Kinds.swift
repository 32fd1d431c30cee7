extension EntityDescription {
    /// All attributes by slot order, inherited ones included; composite attributes as a whole.
    ///
    /// Valid once frozen.
    ///
    /// - Complexity: O(1); the list was made of attributes alone when the model was frozen, and
    ///   arrays of references have one layout.
    public var attributes: [AttributeDescription] {
        unsafeBitCast(attributeList, to: [AttributeDescription].self)
    }

    /// The attributes that stores keep, by slot order: neither transient nor composite ones, but
    /// the elements of those.
    ///
    /// Valid once frozen.
    ///
    /// - Complexity: O(1), as for ``attributes``.
    package var storedAttributes: [AttributeDescription] {
        unsafeBitCast(storedAttributeList, to: [AttributeDescription].self)
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
