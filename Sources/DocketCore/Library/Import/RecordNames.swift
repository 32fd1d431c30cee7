import ObjectGraph

/// The lists, tags and locations of a library by name, read once for many items.
///
/// Lists and tags are the same in any letter case; the first spelling stays.
struct RecordNames {
    private struct ListKey: Hashable {
        let parent: ObjectIdentifier?
        let name: String
    }

    private let context: ManagedObjectContext
    private var lists: [ListKey: List] = [:]
    private var tags: [String: Tag] = [:]
    private var locations: [String: Location] = [:]
    /// Paths that were looked up already.
    private var paths: [[String]: List] = [:]
    private var lastListOrder: Int64 = 0
    private let known = Spellings()

    /// Spellings that were looked up; they do not change while the import runs.
    private final class Spellings {
        var paths: [[String]: [String]] = [:]
        var tags: [String: String] = [:]
    }

    init(_ library: Library) throws {
        context = library.context
        for list in try library.lists() {
            lists[RecordNames.key(list.name, list.parent)] = list
            lastListOrder = max(lastListOrder, list.displayOrder)
        }
        for tag in try library.tags() { tags[tag.name.lowercased()] = tag }
        for place in try Location.all(in: context) {
            locations[place.name] = place
        }
    }

    private static func key(_ name: String, _ parent: List?) -> ListKey {
        ListKey(parent: parent.map { ObjectIdentifier($0) }, name: name.lowercased())
    }

    /// The list at a path; missing lists are created.
    mutating func list(_ path: [String]) -> List? {
        if let known = paths[path] { return known }
        var parent: List?
        for name in path {
            let key = RecordNames.key(name, parent)
            if let known = lists[key] {
                parent = known
                continue
            }
            let made = context.insert(List.self)
            made.name = name
            made.parent = parent
            lastListOrder += Ranks.spacing
            made.displayOrder = lastListOrder
            lists[key] = made
            parent = made
        }
        if let parent { paths[path] = parent }
        return parent
    }

    /// The tag of a name, created if it is missing.
    mutating func tag(_ name: String) -> Tag {
        let key = name.lowercased()
        if let known = tags[key] { return known }
        let made = context.insert(Tag.self)
        made.name = name
        tags[key] = made
        return made
    }

    mutating func location(_ name: String) -> Location {
        if let known = locations[name] { return known }
        let made = context.insert(Location.self)
        made.name = name
        locations[name] = made
        return made
    }

    /// A path in the library's spelling, as far as it exists; creates nothing.
    func spelled(_ path: [String]) -> [String] {
        if path.isEmpty { return path }
        if let known = known.paths[path] { return known }
        var result = path
        var parent: List?
        for (place, name) in path.enumerated() {
            // The rest may be created later, in the spelling that comes first.
            guard let known = lists[RecordNames.key(name, parent)] else { return result }
            result[place] = known.name
            parent = known
        }
        known.paths[path] = result
        return result
    }

    /// A tag in the library's spelling; creates nothing.
    func spelled(tag name: String) -> String {
        if let known = known.tags[name] { return known }
        guard let tag = tags[name.lowercased()] else { return name }
        known.tags[name] = tag.name
        return tag.name
    }
}
