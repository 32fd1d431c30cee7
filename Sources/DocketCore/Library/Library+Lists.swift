import ObjectGraph

extension Library {
    /// The list at a path of names, outermost first; missing lists are created.
    ///
    /// Names are compared without regard to case. Does not save: it is part of another verb.
    package func list(path: [String]) throws -> List? {
        try Limits.check(listLevels: path.count)
        var parent: List?
        for name in path {
            if let known = try find(list: name, in: parent) {
                parent = known
                continue
            }
            let made = context.insert(List.self)
            made.name = name
            made.parent = parent
            made.displayOrder = try nextListOrder()
            parent = made
        }
        return parent
    }

    /// The list at a path, or `nil`.
    package func existingList(path: [String]) throws -> List? {
        var parent: List?
        for name in path {
            guard let known = try find(list: name, in: parent) else { return nil }
            parent = known
        }
        return parent
    }

    private func find(list name: String, in parent: List?) throws -> List? {
        var request = FetchRequest<List>(
            entityName: "List",
            predicate: .and([
                .comparison(
                    FetchComparison(
                        .keyPath("name"),
                        .equal,
                        .constant(.string(name)),
                        options: .caseInsensitive
                    )
                ),
                .comparison(
                    FetchComparison(
                        .keyPath("parent"),
                        .equal,
                        .constant(parent.map { .objectID($0.objectID) } ?? .null)
                    )
                ),
            ])
        )
        request.limit = 1
        return try context.fetch(request).first
    }

    private func nextListOrder() throws -> Int64 {
        var request = FetchRequest<List>(
            entityName: "List",
            sortDescriptors: [FetchSortDescriptor("displayOrder", ascending: false)]
        )
        request.limit = 1
        return (try context.fetch(request).first?.displayOrder ?? 0) + Ranks.spacing
    }

    /// All lists in display order.
    package func lists() throws -> [List] {
        try refresh()
        return try context.fetch(
            FetchRequest<List>(
                entityName: "List",
                sortDescriptors: [FetchSortDescriptor("displayOrder")]
            )
        )
    }

    /// The tag of a name, created if it is missing.
    ///
    /// Does not save: it is part of another verb.
    package func tag(_ name: String) throws -> Tag {
        var request = FetchRequest<Tag>(
            entityName: "Tag",
            predicate: .comparison(
                FetchComparison(
                    .keyPath("name"),
                    .equal,
                    .constant(.string(name)),
                    options: .caseInsensitive
                )
            )
        )
        request.limit = 1
        if let known = try context.fetch(request).first { return known }
        let made = context.insert(Tag.self)
        made.name = name
        return made
    }

    /// All tags by name.
    package func tags() throws -> [Tag] {
        try refresh()
        return try context.fetch(
            FetchRequest<Tag>(
                entityName: "Tag",
                sortDescriptors: [FetchSortDescriptor("name", comparison: .localizedStandard)]
            )
        )
    }
}

extension List {
    /// The names of the lists above this one and its own, outermost first.
    package var path: [String] {
        var names: [String] = []
        var list: List? = self
        while let current = list {
            names.insert(current.name, at: 0)
            list = current.parent
        }
        return names
    }
}
