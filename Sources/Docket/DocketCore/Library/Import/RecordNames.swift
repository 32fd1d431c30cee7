import DocketFormats
import ObjectGraph

/// The lists, tags and locations of a library by name, read once for many items.
///
/// Lists and tags are the same in any letter case; the first spelling stays. What is known outlives
/// the context of one part (``move(to:)``); the objects are found again by their identity.
struct RecordNames {
    /// A list, a tag or a location that exists, or that the present part makes.
    private struct Known<Kind: ManagedObject> {
        /// The name, of a list with those above it.
        let spelling: [String]
        /// The saved object's identity.
        var id: ManagedObjectID?
        /// The object in the present context, once it was needed there.
        var object: Kind?
        /// The object in the last context, whose save has not ended.
        var unsaved: Kind?

        init(_ spelling: [String], _ object: Kind) {
            self.spelling = spelling
            self.object = object
        }

        /// Forgets the context.
        mutating func leave() {
            if let object {
                if object.objectID.isTemporaryID { unsaved = object } else { id = object.objectID }
            }
            object = nil
        }

        /// The save of the last context has ended.
        mutating func settle() {
            if let saved = unsaved?.objectID, !saved.isTemporaryID { id = saved }
            unsaved = nil
        }
    }

    private(set) var context: ManagedObjectContext
    /// By the lower-case names of the list and those above it.
    private var lists: [[String]: Known<List>] = [:]
    /// By lower-case name.
    private var tags: [String: Known<Tag>] = [:]
    private var locations: [String: Known<Location>] = [:]
    /// Paths that were looked up in this context.
    private var paths: [[String]: List] = [:]
    private var lastListOrder: Int64 = 0
    private let known = Spellings()

    /// Spellings that were looked up; they do not change while the import runs.
    private final class Spellings {
        var paths: [[String]: [String]] = [:]
        var tags: [String: String] = [:]
    }

    init(_ context: ManagedObjectContext) throws {
        self.context = context
        for list in try List.all(in: context, sortedBy: \.displayOrder) {
            let path = list.path
            lists[path.map { $0.lowercased() }] = Known(path, list)
            lastListOrder = max(lastListOrder, list.displayOrder)
        }
        for tag in try Tag.all(in: context) { tags[tag.name.lowercased()] = Known([tag.name], tag) }
        for place in try Location.all(in: context) {
            locations[place.name] = Known([place.name], place)
        }
    }

    /// Continues with another context; what the last one has not saved is made once more.
    mutating func move(to context: ManagedObjectContext) throws {
        self.context = context
        paths = [:]
        for key in lists.keys { lists[key]?.leave() }
        for key in tags.keys { tags[key]?.leave() }
        for key in locations.keys { locations[key]?.leave() }
    }

    /// Takes the identities of what the last context has saved, once that save has ended.
    mutating func settle() {
        for key in lists.keys { lists[key]?.settle() }
        for key in tags.keys { tags[key]?.settle() }
        for key in locations.keys { locations[key]?.settle() }
    }

    /// Finds what some records name in the present context, so that the store need not be asked
    /// while they are written.
    ///
    /// - Returns: false if a save that has not ended makes something of it.
    mutating func load(_ records: ArraySlice<ImportedRecord>) -> Bool {
        var seenLists: Set<[String]> = []
        var seenTags: Set<String> = []
        var seenLocations: Set<String> = []
        for imported in records {
            let list = imported.record.list
            if !list.isEmpty, seenLists.insert(list).inserted {
                for depth in list.indices {
                    let key = list[...depth].map { $0.lowercased() }
                    if lists[key]?.unsaved != nil { return false }
                    if let list = existing(lists[key]) { lists[key]?.object = list }
                }
            }
            for tag in imported.record.tags where seenTags.insert(tag).inserted {
                let key = tag.lowercased()
                if tags[key]?.unsaved != nil { return false }
                if let tag = existing(tags[key]) { tags[key]?.object = tag }
            }
            if let name = imported.record.location, seenLocations.insert(name).inserted {
                if locations[name]?.unsaved != nil { return false }
                if let place = existing(locations[name]) { locations[name]?.object = place }
            }
        }
        return true
    }

    /// The object in the present context; `nil` if it is not saved, or was deleted since.
    private func existing<Kind: ManagedObject>(_ known: Known<Kind>?) -> Kind? {
        if let object = known?.object { return object }
        guard let id = known?.id else { return nil }
        return (try? context.existingObject(with: id)) as? Kind
    }

    /// The list at a path; missing lists are created.
    mutating func list(_ path: [String]) -> List? {
        if let known = paths[path] { return known }
        var parent: List?
        for depth in path.indices {
            let key = path[...depth].map { $0.lowercased() }
            let known = lists[key]
            let list = existing(known) ?? make(known?.spelling.last ?? path[depth], below: parent)
            if known == nil { lists[key] = Known((parent?.path ?? []) + [list.name], list) }
            lists[key]?.object = list
            parent = list
        }
        if let parent { paths[path] = parent }
        return parent
    }

    private mutating func make(_ name: String, below parent: List?) -> List {
        let made = context.insert(List.self)
        made.name = name
        made.parent = parent
        lastListOrder = Ranks.behind(lastListOrder)
        made.displayOrder = lastListOrder
        return made
    }

    /// The tag of a name, created if it is missing.
    mutating func tag(_ name: String) -> Tag {
        let key = name.lowercased()
        let known = tags[key]
        if let object = known?.object { return object }
        let tag = existing(known) ?? context.insert(Tag.self)
        if tag.isInserted { tag.name = known?.spelling[0] ?? name }
        if known == nil { tags[key] = Known([name], tag) }
        tags[key]?.object = tag
        return tag
    }

    mutating func location(_ name: String) -> Location {
        let known = locations[name]
        if let object = known?.object { return object }
        let place = existing(known) ?? context.insert(Location.self)
        if place.isInserted { place.name = name }
        if known == nil { locations[name] = Known([name], place) }
        locations[name]?.object = place
        return place
    }

    /// A path in the library's spelling, as far as it exists; creates nothing.
    func spelled(_ path: [String]) -> [String] {
        if path.isEmpty { return path }
        if let known = known.paths[path] { return known }
        for depth in path.indices.reversed() {
            // The rest may be created later, in the spelling that comes first.
            guard let list = lists[path[...depth].map { $0.lowercased() }] else { continue }
            let result = list.spelling + path[(depth + 1)...]
            if depth == path.count - 1 { known.paths[path] = result }
            return result
        }
        return path
    }

    /// A tag in the library's spelling; creates nothing.
    func spelled(tag name: String) -> String {
        if let known = known.tags[name] { return known }
        guard let tag = tags[name.lowercased()] else { return name }
        known.tags[name] = tag.spelling[0]
        return tag.spelling[0]
    }
}
