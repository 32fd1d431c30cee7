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
        try List.first(
            in: context,
            where: { $0.name.equals(name, .caseInsensitive) && $0.parent == parent }
        )
    }

    private func nextListOrder() throws -> Int64 {
        let last = try List.first(in: context, sortedBy: \.displayOrder.descending)
        return (last?.displayOrder ?? 0) + Ranks.spacing
    }

    /// All lists in display order.
    package func lists() throws -> [List] {
        try refresh()
        return try List.all(in: context, sortedBy: \.displayOrder)
    }

    /// The tag of a name, created if it is missing.
    ///
    /// Does not save: it is part of another verb.
    package func tag(_ name: String) throws -> Tag {
        if let known = try Tag.first(in: context, where: { $0.name.equals(name, .caseInsensitive) })
        {
            return known
        }
        let made = context.insert(Tag.self)
        made.name = name
        return made
    }

    /// All tags by name.
    package func tags() throws -> [Tag] {
        try refresh()
        return try Tag.all(in: context, sortedBy: \.name.localizedStandard)
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
