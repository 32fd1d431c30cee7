import DocketFormats
public import ObjectGraph

// Conditions that the interface and the command line share.

extension Library {
    /// Items of a list and of the lists below it; the list is named by its path, such as
    /// `Home/Garden`.
    ///
    /// - Throws: `InputError` if the list does not exist.
    public func condition(inList name: String) throws -> Condition<Item> {
        guard let list = try existingList(path: ListPath.parse(name)) else {
            let known = try lists().map { ListPath.string($0.path) }.joined(separator: ", ")
            throw InputError(
                .badReference,
                "The list \"\(name)\" does not exist."
                    + (known.isEmpty ? "" : " Existing lists: \(known).")
            )
        }
        return condition(inTreeOf: list)
    }

    /// Items of a list and of those below it.
    public func condition(inTreeOf list: List) -> Condition<Item> {
        var ids: [ManagedObjectID] = []
        func collect(_ list: List) {
            ids.append(list.objectID)
            for child in list.children { collect(child) }
        }
        collect(list)
        return Condition { $0.list.in(ids) }
    }

    /// Items with a tag.
    ///
    /// - Throws: `InputError` if the tag does not exist.
    public func condition(taggedWith name: String) throws -> Condition<Item> {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        let known = try tags()
        guard let tag = known.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            let names = known.map { "#\($0.name)" }.joined(separator: ", ")
            throw InputError(
                .badReference,
                "The tag #\(name) does not exist."
                    + (names.isEmpty ? "" : " Existing tags: \(names).")
            )
        }
        return Condition { $0.tags.any { $0 == tag } }
    }

    /// Items of the same list as another one: its neighbours in the order.
    public func condition(beside item: Item) -> Condition<Item> {
        \.list == item.list
    }

    /// The IDs of items in display order.
    public func itemIDs(
        matching condition: Condition<Item>?,
        limit: Int = 0
    ) throws -> [ManagedObjectID] {
        try refresh()
        var request = FetchRequest<ManagedObjectID>(
            FetchRequest<Item>(where: condition, sortedBy: \.displayOrder)
        )
        request.limit = limit
        return try context.fetch(request)
    }

    /// Items for IDs, some thousand at a time, together with their lists and tags.
    public func forEachSlice(
        of ids: [ManagedObjectID],
        _ body: ([Item]) throws -> Void
    ) throws {
        let size = 2048
        for start in stride(from: 0, to: ids.count, by: size) {
            let slice = ids[start..<min(start + size, ids.count)]
            try body(
                try context.objects(Item.self, with: slice, prefetching: [\.tags, \.list])
            )
        }
    }

    /// The number of digits of the largest short ID.
    public func widestNumber() throws -> Int { ShortID.string(try largestNumber()).count }

    /// The largest short ID; the number of items is at most that.
    ///
    /// Cost: one step in an index.
    public func largestNumber() throws -> Int64 {
        let request = FetchRequest<[String: GraphValue]>(of: Item.self, columns: [.max(\.shortID)])
        guard case .int(let number)? = try context.fetch(request).first?["max"] else { return 0 }
        return number
    }

    /// The items that some arguments name, each an ID, a range such as `3-7`, or a UUID; each item
    /// once.
    ///
    /// - Throws: `InputError` for the first one that does not exist.
    /// - Complexity: one statement for some hundred numbers.
    public func items(named texts: [String]) throws -> [Item] {
        var references: [ItemReference] = []
        for text in texts {
            if let reference = try? ItemReference(text) {
                references.append(reference)
            } else {
                references += try ShortID.parseList(text).map { .number($0) }
            }
        }
        let known = try items(
            numbered: references.compactMap {
                if case .number(let number) = $0 { number } else { nil }
            }
        )
        var found: [Item] = []
        var seen: Set<ManagedObjectID> = []
        for reference in references {
            let item: Item
            if case .number(let number) = reference, let known = known[number] {
                item = known
            } else {
                item = try self.item(reference)
            }
            if seen.insert(item.objectID).inserted { found.append(item) }
        }
        return found
    }

    private func items(numbered numbers: [Int64]) throws -> [Int64: Item] {
        var found: [Int64: Item] = [:]
        for start in stride(from: 0, to: numbers.count, by: 500) {
            let slice = numbers[start..<min(start + 500, numbers.count)]
            let matching = Condition<Item> { $0.shortID.in(slice) }
            for item in try items(matching: matching) { found[item.shortID] = item }
        }
        return found
    }

    /// The items that have every word in one of their searched texts, in display order.
    public func search(
        _ text: String,
        matching condition: Condition<Item>?,
        limit: Int = 0
    ) throws -> [ManagedObjectID] {
        try Limits.check(searchWords: text.split(whereSeparator: \.isWhitespace).count)
        try refresh()
        return try context.search(
            text,
            in: Item.self,
            related: \.list.name,
            \.tags.name,
            where: condition,
            sortedBy: \.displayOrder,
            limit: limit
        )
    }
}
