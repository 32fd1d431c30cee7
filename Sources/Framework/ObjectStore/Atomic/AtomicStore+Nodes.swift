public import FoundationEssentials
public import ObjectModel

// What a subclass works with.

extension AtomicStore {
    /// The identity of an object by what the store calls it.
    ///
    /// The same reference object leads to the same ID, whenever the store is open.
    ///
    /// - Parameters:
    ///   - entity: the concrete entity of the object.
    ///   - reference: unique in the hierarchy of the entity.
    /// - Returns: a permanent ID.
    public func objectID(
        for entity: EntityDescription,
        withReferenceObject reference: ReferenceObject
    ) -> ManagedObjectID { space.id(entity.number, reference) }

    /// What the store calls an object.
    public func referenceObject(for id: ManagedObjectID) -> ReferenceObject { space.reference(id) }

    /// The node of an object; `nil` if there is none.
    public func cacheNode(for id: ManagedObjectID) -> AtomicStoreCacheNode? {
        if keepsNodes { return nodes[id] }
        guard let engine, let row = engine.row(id), let entity = engine.model.entity(of: id)
        else {
            return nil
        }
        return node(id, entity, row.values)
    }

    private func node(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        _ values: [GraphValue]
    ) -> AtomicStoreCacheNode {
        let node = AtomicStoreCacheNode(id, entity, values)
        node.store = self
        return node
    }

    /// All nodes, in the order of their entities and IDs.
    ///
    /// - Complexity: O(n log n).
    public var cacheNodes: [AtomicStoreCacheNode] {
        if keepsNodes { return nodes.values.sorted { $0.objectID < $1.objectID } }
        guard let engine else { return [] }
        var result: [AtomicStoreCacheNode] = []
        for (number, table) in engine.state.tables.sorted(by: { $0.key < $1.key }) {
            guard let entity = model.entitiesByNumber[Int(number)] else { continue }
            result.reserveCapacity(result.count + table.count)
            for key in table.keys.sorted() {
                guard let row = table[key] else { continue }
                let id = ManagedObjectID(space: space.number, entity: number, key: key)
                result.append(node(id, entity, row.values))
            }
        }
        return result
    }

    /// Adds the nodes of the file's objects; only ``AtomicStore/load()`` may do so.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if two nodes have
    ///   one ID, or if the store does not hold the entity of a node.
    public func addCacheNodes(_ added: some Sequence<AtomicStoreCacheNode>) throws {
        precondition(engine == nil, "nodes are added while the store loads")
        // Local while many nodes come: an access of a property of a class is checked each time.
        var nodes = nodes
        self.nodes = [:]
        defer { self.nodes = nodes }
        if keepsNodes { nodes.reserveCapacity(nodes.count + added.underestimatedCount) }
        var permitted: EntityDescription?
        for node in added {
            if node.entity !== permitted {
                if node.entity.isAbstract || !entities.contains(node.entity) {
                    throw damaged("it holds an object of the entity \(node.entity.name)")
                }
                permitted = node.entity
            }
            if keepsNodes {
                if nodes.updateValue(node, forKey: node.objectID) != nil {
                    throw twice(node)
                }
                node.store = self
            }
            loadedNodes.append(node)
            noteID(node.objectID)
        }
    }

    /// The members of a to-many relationship; empty while the store loads.
    func members(
        of relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] { engine?.state.links.members(of: relationship, owner) ?? [] }

    /// The error of a file that does not hold what it should.
    ///
    /// - Parameter what: what is wrong, as the rest of a sentence: `line 3 has no entity`.
    /// - Returns: an error with code ``ObjectGraphError/Code/damagedFile``.
    public func damaged(_ what: String) -> ObjectGraphError {
        AtomicStore.damaged(url?.lastPathComponent ?? "", what)
    }

    package static func damaged(_ name: String, _ what: String) -> ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "The store \"\(name)\" is damaged: \(what).",
            recovery: "Keep a copy of it and restore a backup."
        )
    }

    func twice(_ node: AtomicStoreCacheNode) -> ObjectGraphError {
        let reference = referenceObject(for: node.objectID)
        return damaged("two objects of \(node.entity.root.name) have the ID \(reference)")
    }

    func noteID(_ id: ManagedObjectID) {
        if case .number(let number) = referenceObject(for: id), number >= nextReferenceNumber {
            nextReferenceNumber = number == .max ? .max : number + 1
        }
    }
}

// MARK: Files

extension AtomicStore {
    /// The place of the store.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen`` if it was opened
    ///   without one.
    public var location: URL {
        get throws {
            if let url { return url }
            throw ObjectGraphError(
                .cannotOpen,
                "A store of the type \(type.rawValue) needs a file.",
                recovery: "Give its URL."
            )
        }
    }

    /// Metadata as bytes, for a format that has no form of its own for them.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` for a value that
    ///   metadata cannot hold.
    public static func encode(_ metadata: StoreMetadata) throws -> Data {
        try MetadataBytes.data(metadata)
    }

    /// The metadata that ``encode(_:)`` made bytes of.
    ///
    /// - Throws: an error with code ``ObjectGraphError/Code/damagedFile`` for other bytes.
    public static func decodeMetadata(_ data: Data) throws -> StoreMetadata {
        do {
            return try MetadataBytes.metadata(data)
        } catch {
            throw ObjectGraphError(
                .damagedFile,
                "The metadata of a store of the class \(self) cannot be read: \(error).",
                recovery: "Restore the file from a backup."
            )
        }
    }

    /// The content of a file of the store.
    ///
    /// From now on, a save and each use of the store fail if somebody else has changed the file.
    ///
    /// - Returns: `nil` if there is no such file, or an empty one.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``.
    public func contents(of url: URL) throws -> Data? {
        try file(url).read(mayBeAbsent: !isReadOnly)
    }

    /// Replaces a file of the store in one step, or creates it.
    ///
    /// At any moment the file has its old or its new content, also if the process is killed. It is on
    /// the disk when this returns. A new file can be read by its owner only. What a killed process, or
    /// one that could not delete it, has left beside the file (`.name.new-…`) is removed by the next
    /// replacement.
    ///
    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/storeReplaced`` if somebody else has
    ///   changed or created the file since it was read, ``ObjectGraphError/Code/cannotWrite`` if the
    ///   disk is full or permissions are missing. Then the file is as it was.
    public func replaceContents(of url: URL, with data: Data) throws {
        try fileToReplace(url).replace(with: data)
    }

    private func file(_ url: URL) -> StoreDataFile {
        if let known = files[url] { return known }
        let file = StoreDataFile(url)
        files[url] = file
        return file
    }

    private func fileToReplace(_ url: URL) throws -> StoreDataFile {
        let isKnown = files[url] != nil
        let file = file(url)
        if !isKnown, overwrites { _ = try file.read(mayBeAbsent: true) }
        return file
    }

    func checkFiles() throws { for file in files.values { try file.check() } }
}

// MARK: Nodes of a save

extension AtomicStore {
    func insert(_ node: AtomicStoreCacheNode) {
        node.store = self
        nodes[node.objectID] = node
    }

    func remove(_ id: ManagedObjectID) { nodes[id] = nil }
}
