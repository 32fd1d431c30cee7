extension EntityDescription {
    /// All attributes by slot order, inherited ones included; composite attributes as a whole.
    ///
    /// - Complexity: O(1); the list was made of attributes alone when the model was frozen, and
    ///   arrays of references have one layout. O(properties) in a draft.
    public var attributes: [AttributeDescription] {
        if !isLaidOut { return draft(AttributeDescription.self) }
        return unsafeBitCast(attributeList, to: [AttributeDescription].self)
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
    /// - Complexity: O(1), as for ``attributes``.
    public var relationships: [RelationshipDescription] {
        if !isLaidOut { return draft(RelationshipDescription.self) }
        return unsafeBitCast(relationshipList, to: [RelationshipDescription].self)
    }
}
