import ObjectGraph

// Which objects meet a request. The store evaluates what is about its own values, so that only what
// is asked for is read; the rest, such as closures, it leaves to the framework.
extension MarkdownFolderStore {
    func answer(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        let kinds = Set(request.concreteEntities.compactMap { Kind(rawValue: $0.name) })
        let all = try rows(of: kinds, meeting: request.predicate)
        guard FolderQuery.isOwn(request.predicate),
            request.sortDescriptors.allSatisfy({
                $0.comparator == nil && StoredRow.keys.contains($0.keyPath)
            })
        else { return .candidates(try all.map { try id($0.path, $0.kind) }) }
        var found = all
        if let predicate = request.predicate {
            let compiled = CompiledPredicate(predicate)
            found = try all.filter { row in
                defer { row.forgetText() }
                return try compiled.evaluate(with: .object(row))
            }
        }
        if !request.sortDescriptors.isEmpty {
            let objects: [any KeyValueCoding] = found
            found = try objects.sorted(using: request.sortDescriptors)
                .compactMap { $0 as? StoredRow }
        }
        let description = request.description
        // Dictionaries are made by the framework, which then applies the window.
        if description.resultType == .dictionaries {
            return .candidates(try found.map { try id($0.path, $0.kind) })
        }
        var window = found.dropFirst(description.offset)
        if description.limit > 0 { window = window.prefix(description.limit) }
        return .exactly(try window.map { try id($0.path, $0.kind) })
    }

    /// The objects among which those that meet a predicate are; lists as few folders as it can.
    private func rows(of kinds: Set<Kind>, meeting predicate: FetchPredicate?) throws -> [StoredRow]
    {
        let query = FolderQuery(predicate)
        if let parents = query.parents {
            let isText = kinds == [.text]
            if isText { return try everything(kinds) }
            var rows: [StoredRow] = []
            for parent in Set(parents.compactMap(path)).sorted(by: { $0.text < $1.text }) {
                for found in try list(parent) { add(found, kinds, to: &rows) }
            }
            return rows
        }
        if let ids = query.ids {
            return ids.compactMap { id in
                guard let path = path(id), let kind = Kind(rawValue: id.entityName),
                    kinds.contains(kind)
                else { return nil }
                return exists(path, kind) ? StoredRow(path, kind, of: self) : nil
            }
        }
        if let text = query.path {
            return try paths(shownAs: text).flatMap { path in
                kinds.filter { exists(path, $0) }.map { StoredRow(path, $0, of: self) }
            }
        }
        return try everything(kinds)
    }

    /// The paths that a text may mean: the replacement character can be any byte that is not UTF-8,
    /// so a folder is listed where a name has one.
    private func paths(shownAs text: String) throws -> [EntryPath] {
        let odd: Character = "\u{FFFD}"
        guard text.contains(odd) else {
            return EntryPath(text: text).map { $0.text == text ? [$0] : [] } ?? []
        }
        var paths = [EntryPath.root]
        for name in text.split(separator: "/", omittingEmptySubsequences: false) {
            paths = try paths.flatMap { folder -> [EntryPath] in
                guard name.contains(odd) else { return [folder.appending(Array(name.utf8))] }
                guard exists(folder, .folder) else { return [] }
                return try list(folder).map(\.path).filter { $0.name == name }
            }
        }
        return paths.filter { $0.text == text && EntryPath(text: $0.text) != nil }
    }

    private func exists(_ path: EntryPath, _ kind: Kind) -> Bool {
        guard let status = try? disk.status(path) else { return false }
        if kind == .folder { return status.isFolder }
        return status.isFile && FolderDisk.isDocument(path.nameBytes)
    }

    /// All entries, folder by folder; a folder that links lead to twice is listed once.
    private func everything(_ kinds: Set<Kind>) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        if kinds.contains(.folder) { rows.append(StoredRow(.root, .folder, of: self)) }
        var seen: Set<FolderDisk.Identity> = []
        var waiting = [EntryPath.root]
        while let folder = waiting.popLast() {
            guard folder.depth < MarkdownFolderStore.deepest,
                let status = try? disk.status(folder),
                seen.insert(status.identity).inserted
            else { continue }
            let entries: [FolderDisk.Found]
            do {
                entries = try list(folder)
            } catch {
                // A folder that may not be read, or is gone by now, does not hide the others.
                if folder == .root { throw error }
                continue
            }
            for found in entries { add(found, kinds, to: &rows) }
            waiting += entries.lazy.filter(\.isFolder).map(\.path).reversed()
        }
        return rows
    }

    private func add(_ found: FolderDisk.Found, _ kinds: Set<Kind>, to rows: inout [StoredRow]) {
        if found.isFolder {
            if kinds.contains(.folder) { rows.append(StoredRow(found.path, .folder, of: self)) }
            return
        }
        if kinds.contains(.document) { rows.append(StoredRow(found.path, .document, of: self)) }
        if kinds.contains(.text) { rows.append(StoredRow(found.path, .text, of: self)) }
    }

    /// How many folders may be inside each other.
    private static let deepest = 64
}

/// What a predicate says about where its objects are.
struct FolderQuery {
    /// The folders that contain all objects that meet the predicate; `nil` if it does not say so.
    private(set) var parents: [ManagedObjectID]?
    private(set) var ids: [ManagedObjectID]?
    private(set) var path: String?

    init(_ predicate: FetchPredicate?) {
        switch predicate {
        case .and(let parts)?:
            for part in parts {
                let query = FolderQuery(part)
                parents = parents ?? query.parents
                ids = ids ?? query.ids
                path = path ?? query.path
            }
        case .comparison(let comparison)? where comparison.modifier == .direct:
            if comparison.left == .keyPath("path"), comparison.operator == .equal,
                comparison.options.isEmpty, case .constant(.string(let text)) = comparison.right
            {
                path = text
            }
            guard let objects = FolderQuery.objects(comparison) else { return }
            if comparison.left == .keyPath("parent") { parents = objects }
            if comparison.left == .evaluatedObject { ids = objects }
        default: break
        }
    }

    /// The objects that the left side is one of.
    private static func objects(_ comparison: FetchComparison) -> [ManagedObjectID]? {
        guard case .constant(let value) = comparison.right else { return nil }
        switch comparison.operator {
        case .equal: return id(value).map { [$0] }
        case .in:
            guard let elements = value.elements else { return nil }
            let ids = elements.compactMap(id)
            return ids.count == elements.count ? ids : nil
        default: return nil
        }
    }

    private static func id(_ value: GraphValue) -> ManagedObjectID? {
        switch value {
        case .objectID(let id): id
        case .object(let object): object.managedObjectID
        default: nil
        }
    }

    /// Whether a predicate is about values that a ``StoredRow`` has, and nothing else.
    static func isOwn(_ predicate: FetchPredicate?) -> Bool {
        switch predicate {
        case nil, .constant?: true
        case .and(let parts)?, .or(let parts)?: parts.allSatisfy { isOwn($0) }
        case .not(let part)?: isOwn(part)
        case .comparison(let comparison)?: isOwn(comparison.left) && isOwn(comparison.right)
        case .block?: false
        }
    }

    private static func isOwn(_ expression: FetchExpression) -> Bool {
        switch expression {
        case .constant, .evaluatedObject: true
        case .keyPath(let path): StoredRow.keys.contains(path)
        case .aggregate(let parts): parts.allSatisfy { isOwn($0) }
        default: false
        }
    }
}
