import ObjectModel

// Rows that users arrange by hand, by an attribute with the display order.

extension FetchedResultsController {
    /// The section index's title for a section's name; `nil` leaves the section out of the index.
    ///
    /// As ``sectionIndexTitleForSectionName`` makes it, else the name's first letter as a capital.
    public func sectionIndexTitle(forSectionName name: String) -> String? {
        guard let title = sectionIndexTitleForSectionName else {
            return name.prefix(1).uppercased()
        }
        return title(name)
    }

    /// Moves a row to another place: gives its object a number between those of its new neighbours.
    ///
    ///     let controller = try FetchedResultsController(
    ///         request: FetchRequest<Song>(sortedBy: \.place, \.title), context: context)
    ///     try controller.performFetch()
    ///     try controller.move(from: ResultIndexPath(item: 4), to: ResultIndexPath(item: 0))
    ///     try context.save()
    ///
    /// The display order is an integer attribute by which the request sorts. Its numbers are far
    /// enough apart that a move changes one object; where there is no room between two neighbours,
    /// those around them are spread out too. Numbers without gaps, such as 0, 1, 2, …, `nil` and equal
    /// ones are taken as they are, and get gaps where rows are moved.
    ///
    /// A row that goes to another section gets what makes the section from its new neighbours: the
    /// attribute or the destination of the to-one relationship with which the section key path
    /// begins.
    ///
    /// The move ends the context's event before and after itself, so it is one step of undo, and the
    /// rows are in their new order at once. It is not saved.
    ///
    /// - Parameters:
    ///   - source: the row.
    ///   - target: the present section to move it to, and its index there after the move.
    ///   - order: the attribute with the display order. If it is left out, the first sort key that is
    ///     an integer attribute, with sections the first one after the first sort key.
    ///   - name: the name of the step in a menu, such as "Move Song".
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if there is no
    ///   such row or place, if the request is not sorted by an integer attribute, or if rows are
    ///   sorted by something else before it in which the row differs from its neighbours there.
    ///   Nothing is changed then.
    /// - Complexity: O(sections); one object changes, amortised O(log rows) if all moves are to one
    ///   place.
    public func move(
        from source: ResultIndexPath,
        to target: ResultIndexPath,
        by order: SortKeyPath<Result>? = nil,
        as name: String? = nil
    ) throws {
        context.endEvent()
        let move = try RowMove(
            rows: currentRows,
            context: context,
            request: request.description,
            sectionNameKeyPath: sectionNameKeyPath,
            order: order?.modelKeyPath()
        )
        let changed = try move.perform(from: source, to: target)
        context.endEvent(as: name)
        update(touching: changed)
    }
}

/// One move of a row of a results controller.
private struct RowMove {
    private let rows: SectionedRows
    private let context: ManagedObjectContext
    private let entity: EntityDescription
    private let sectionKey: String?
    /// The sort keys before the one of the display order.
    private let prefix: [FetchSortDescriptor]
    private let attribute: AttributeDescription
    private let isAscending: Bool

    init(
        rows: SectionedRows,
        context: ManagedObjectContext,
        request: FetchDescription,
        sectionNameKeyPath: String?,
        order: String?
    ) throws {
        self.rows = rows
        self.context = context
        entity = try context.entity(of: request)
        sectionKey = sectionNameKeyPath.map { String($0.prefix { $0 != "." }) }
        let descriptors = request.sortDescriptors
        var found: (index: Int, attribute: AttributeDescription)?
        for (index, descriptor) in descriptors.enumerated() where found == nil {
            if let order, descriptor.keyPath != order { continue }
            if order == nil, sectionNameKeyPath != nil, index == 0 { continue }
            guard descriptor.comparator == nil,
                let attribute = entity.property(named: descriptor.keyPath) as? AttributeDescription,
                attribute.type.integerRange != nil, !attribute.isDerived
            else { continue }
            found = (index, attribute)
        }
        guard let found else {
            throw RowMove.refusal(
                "The rows of \(entity.name) have no display order"
                    + (order.map { ": they are not sorted by \"\($0)\" as an integer." } ?? "."),
                "Sort the request by an integer attribute for it, after what makes the sections."
            )
        }
        prefix = Array(descriptors[..<found.index])
        attribute = found.attribute
        isAscending = descriptors[found.index].isAscending
    }

    /// - Returns: the changed objects.
    func perform(
        from source: ResultIndexPath,
        to target: ResultIndexPath
    ) throws -> Set<ManagedObject> {
        guard isRow(source) else {
            throw RowMove.refusal(
                "There is no row \(source.item) in section \(source.section) to move.",
                "Move one of the rows that the controller has now."
            )
        }
        let isSameSection = source.section == target.section
        guard rows.sections.indices.contains(target.section),
            case let count = rows.sections[target.section].count - (isSameSection ? 1 : 0),
            (0...count).contains(target.item)
        else {
            throw RowMove.refusal(
                "A row cannot move to row \(target.item) of section \(target.section).",
                "Give a section that there is, and at most the number of its other rows."
            )
        }
        if source == target { return [] }
        let start = rows.start(of: target.section)
        // The other rows of the section, as if the moved one were not there.
        func neighbour(_ index: Int) -> ManagedObject? {
            guard (0..<count).contains(index) else { return nil }
            let skips = isSameSection && index >= source.item
            return context.object(with: rows.list[start + index + (skips ? 1 : 0)])
        }
        let object = context.object(with: rows.list[rows.rank(of: source)])
        let newSection = isSameSection ? nil : try section(of: neighbour(0))
        // Only rows that are equal in all that is sorted by before are ordered by the numbers.
        let keys = try prefix.map { descriptor in
            try value(descriptor.keyPath, of: object, with: newSection)
        }
        func isPeer(_ other: ManagedObject) throws -> Bool {
            for (descriptor, key) in zip(prefix, keys)
            where try other.value(forKeyPath: descriptor.keyPath) != key { return false }
            return true
        }
        func peers(_ number: Int, from first: Int, by step: Int) throws -> [ManagedObject] {
            var result: [ManagedObject] = []
            var index = first
            while result.count < number, let next = neighbour(index), try isPeer(next) {
                result.append(next)
                index += step
            }
            return result
        }
        var lower: [ManagedObject] = []
        var upper: [ManagedObject] = []
        let ahead = { (number: Int) in try peers(number, from: target.item - 1, by: -1) }
        let behind = { (number: Int) in try peers(number, from: target.item, by: 1) }
        if count > 0, try ahead(1).isEmpty, try behind(1).isEmpty {
            let names = prefix.map { "\"\($0.keyPath)\"" }.joined(separator: ", ")
            throw RowMove.refusal(
                "The row cannot stand there: the rows are sorted by \(names) first, in which it"
                    + " differs from its neighbours.",
                "Move it among rows with equal values, or change its values."
            )
        }
        let places = try Ranks.place(
            on: scale,
            before: { number in
                lower = try isAscending ? ahead(number) : behind(number)
                return try lower.map(number(of:))
            },
            after: { number in
                upper = try isAscending ? behind(number) : ahead(number)
                return try upper.map(number(of:))
            }
        )
        if let newSection { try object.setValue(newSection.value, forKey: newSection.key) }
        var changes = Array(zip([object], places.placed))
        changes += zip(lower, places.before)
        changes += zip(upper, places.after)
        for (changed, number) in changes {
            try changed.setValue(.int(number), forKey: attribute.name)
        }
        return Set(changes.map(\.0))
    }

    private func isRow(_ path: ResultIndexPath) -> Bool {
        rows.sections.indices.contains(path.section)
            && (0..<rows.sections[path.section].count).contains(path.item)
    }

    /// What makes the section of an object: a key and its value.
    private func section(
        of member: ManagedObject?
    ) throws -> (key: String, value: GraphValue, member: ManagedObject)? {
        guard let key = sectionKey, let member else { return nil }
        let property = entity.property(named: key)
        let isDerived = (property as? AttributeDescription)?.isDerived ?? false
        let isToMany = (property as? RelationshipDescription)?.isToMany ?? false
        guard let property, !property.isTransient, !isDerived, !isToMany,
            !(property is FetchedPropertyDescription)
        else {
            throw RowMove.refusal(
                "A row cannot move to another section, because \"\(key)\" cannot be set.",
                "Change what \"\(key)\" is made of."
            )
        }
        return (key, try member.value(forKey: key), member)
    }

    /// The value of a sort key as it will be in the new section.
    private func value(
        _ keyPath: String,
        of object: ManagedObject,
        with section: (key: String, value: GraphValue, member: ManagedObject)?
    ) throws -> GraphValue {
        let isOfSection = section.map { keyPath == $0.key || keyPath.hasPrefix($0.key + ".") }
        let owner = isOfSection == true ? section?.member ?? object : object
        return try owner.value(forKeyPath: keyPath)
    }

    /// `nil` is before all numbers.
    private func number(of object: ManagedObject) throws -> Int64 {
        try object.value(forKey: attribute.name).integerValue ?? .min
    }

    /// Half of the type's range at most, so that a program can still add rows at both ends.
    private var scale: Ranks.Scale {
        switch attribute.type {
        case .integer16: Ranks.Scale(spacing: 1 << 5, limit: 1 << 14)
        case .integer32: Ranks.Scale(spacing: 1 << 12, limit: 1 << 30)
        default: .wide
        }
    }

    private static func refusal(_ message: String, _ recovery: String) -> ObjectGraphError {
        ObjectGraphError(.invalidRequest, message, recovery: recovery)
    }
}
