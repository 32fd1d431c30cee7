import ObjectGraph

extension Library {
    /// The tags of some names; missing ones are created.
    ///
    /// Does not save: it is part of another verb.
    ///
    /// - Throws: `InputError` for more tags than an item can have.
    /// - Complexity: one statement for a few names, one for all of many.
    func tags(named names: [String]) throws -> [Tag] {
        try Library.tags(named: names, in: context)
    }

    /// The tags of some names in a context; missing ones are created; does not save.
    static func tags(named names: [String], in context: ManagedObjectContext) throws -> [Tag] {
        try Limits.check(tags: names.count)
        if names.count < 4 { return try names.map { try tag($0, in: context) } }
        var known: [String: Tag] = [:]
        for tag in try Tag.all(in: context) {
            known[tag.name.lowercased()] = tag
        }
        return names.map { name in
            if let tag = known[name.lowercased()] { return tag }
            let made = context.insert(Tag.self)
            made.name = name
            known[name.lowercased()] = made
            return made
        }
    }
}
