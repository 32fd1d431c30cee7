import DocketFormats
public import ObjectGraph

extension QueryNames {
    /// A list, a tag or a location whose name completes a text.
    public struct Completion: Hashable, Sendable {
        /// The path of a list; one name of the others.
        public let path: [String]
        /// How many items it has, if that is known.
        public let uses: Int?

        public var name: String { path.last ?? "" }
    }

    /// How many items a list or a tag has, if that is known.
    public typealias Uses = (ManagedObjectID) -> Int?

    /// The lists whose path begins with a text, then those of which another part does; the most used
    /// ones first.
    ///
    /// - Complexity: O(lists).
    public func lists(completing text: String, _ uses: Uses = { _ in nil }) -> [Completion] {
        let typed = QueryNames.folded(text)
        let whole = lists.filter { $0.foldedPath.hasPrefix(typed) }
        let inside = lists.filter { list in
            !list.foldedPath.hasPrefix(typed) && list.folded.contains { $0.hasPrefix(typed) }
        }
        return [whole, inside].flatMap { lists in
            Self.sorted(lists.map { Completion(path: $0.path, uses: uses($0.id)) })
        }
    }

    /// The tags whose name begins with a text, the most used ones first.
    ///
    /// - Complexity: O(tags).
    public func tags(completing text: String, _ uses: Uses = { _ in nil }) -> [Completion] {
        let typed = QueryNames.folded(text)
        return Self.sorted(
            tags.filter { $0.folded.utf8.starts(with: typed.utf8) }
                .map { Completion(path: [$0.name], uses: uses($0.id)) }
        )
    }

    /// The locations whose name begins with a text.
    ///
    /// - Complexity: O(locations).
    public func locations(completing text: String) -> [Completion] {
        let typed = QueryNames.folded(text)
        return locations.filter { $0.folded.hasPrefix(typed) }
            .map { Completion(path: [$0.name], uses: nil) }
    }

    /// The tags of some names that do not exist.
    ///
    /// - Complexity: O(tags).
    public func missingTags(_ names: [String]) -> Set<String> {
        var missing = Dictionary(names.map { (QueryNames.folded($0), $0) }) { first, _ in first }
        if missing.isEmpty { return [] }
        for tag in tags { missing[tag.folded] = nil }
        return Set(missing.values)
    }

    /// More are not looked at.
    private static let most = 50

    /// The most used ones first; behind the first ``most`` in the order as they are.
    private static func sorted(_ found: [Completion]) -> [Completion] {
        let uses = found.map { $0.uses ?? 0 }.sorted(by: >)
        guard uses.count > most else { return found.sorted { ($0.uses ?? 0) > ($1.uses ?? 0) } }
        let least = uses[most - 1]
        let above = found.filter { ($0.uses ?? 0) > least }
        return above.sorted { ($0.uses ?? 0) > ($1.uses ?? 0) }
            + found.filter { ($0.uses ?? 0) == least } + found.filter { ($0.uses ?? 0) < least }
    }
}
