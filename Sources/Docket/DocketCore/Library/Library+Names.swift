import DocketFormats
public import ObjectGraph

// Lists, tags and locations by name, in the library's context or in that of a form; missing ones
// are created. These functions save nothing: they are part of a verb, or of a form. Lists and tags
// are the same in any letter case.

extension Library {
    /// The list at a path of names, outermost first; `nil` for an empty path.
    ///
    /// - Throws: `InputError` for more levels than lists can have.
    public static func list(path: [String], in context: ManagedObjectContext) throws -> List? {
        try Limits.check(listLevels: path.count)
        var parent: List?
        for name in path.map(CaptureText.cleanLine) {
            if let known = try existingList(name, below: parent, in: context) {
                parent = known
                continue
            }
            let last = try context.fetch(lastListRequest).first
            let made = context.insert(List.self)
            made.name = name
            made.parent = parent
            made.displayOrder = Ranks.behind(last?.displayOrder ?? 0)
            parent = made
        }
        return parent
    }

    /// The list with a name below another one, or `nil`.
    static func existingList(
        _ name: String,
        below parent: List?,
        in context: ManagedObjectContext
    ) throws -> List? {
        try context.fetch(listRequest(name, below: parent)).first
    }

    private static func listRequest(_ name: String, below parent: List?) -> FetchRequest<List> {
        first { $0.name.equals(name, .caseInsensitive) && $0.parent == parent }
    }

    private static var lastListRequest: FetchRequest<List> {
        var request = FetchRequest<List>(sortedBy: \.displayOrder.descending)
        request.limit = 1
        return request
    }

    /// What taking over the names of a captured item asks for; of a path the list at its top.
    static func requests(naming item: CapturedItem) -> [FetchDescription] {
        let list = item.list.prefix(1).flatMap {
            [listRequest(CaptureText.cleanLine($0), below: nil), lastListRequest].map(\.description)
        }
        let tags = item.tags.prefix(3).map { tagRequest($0).description }
        let location = item.location.flatMap(locationName).map { locationRequest($0).description }
        return list + tags + [location].compactMap(\.self)
    }

    private static func tagRequest(_ name: String) -> FetchRequest<Tag> {
        first { $0.name.equals(name, .caseInsensitive) }
    }

    private static func locationRequest(_ name: String) -> FetchRequest<Location> {
        first { $0.name.equals(name, .c) }
    }

    private static func first<Object: ManagedObject>(
        where condition: (PropertyPath<Object, Object>) -> Condition<Object>
    ) -> FetchRequest<Object> {
        var request = FetchRequest<Object>(where: condition)
        request.limit = 1
        return request
    }

    /// The tag of a name.
    public static func tag(_ name: String, in context: ManagedObjectContext) throws -> Tag {
        if let known = try context.fetch(tagRequest(name)).first { return known }
        let made = context.insert(Tag.self)
        made.name = name
        return made
    }

    /// The tags of some names.
    ///
    /// - Throws: `InputError` for more tags than an item can have.
    /// - Complexity: one statement for a few names, one for all of many.
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

    /// The location of a name as somebody has typed it, with or without its sign; `nil` for none.
    public static func location(
        typed text: String,
        in context: ManagedObjectContext
    ) throws -> Location? {
        try locationName(text).map { try location($0, in: context) }
    }

    /// The name in what somebody has typed; `nil` for none.
    static func locationName(_ text: String) -> String? {
        let name = CaptureText.cleanLine(text.hasPrefix("@") ? String(text.dropFirst()) : text)
            .trimmingSpace
        return name.isEmpty ? nil : name
    }

    /// The location of a name.
    public static func location(
        _ name: String,
        in context: ManagedObjectContext
    ) throws -> Location {
        if let known = try context.fetch(locationRequest(name)).first { return known }
        let made = context.insert(Location.self)
        made.name = name
        return made
    }
}
