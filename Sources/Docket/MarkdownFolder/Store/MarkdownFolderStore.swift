public import FoundationEssentials
import Glibc
public import ObjectGraph
import Synchronization

/// A folder of Markdown files as a store that loads on demand.
///
/// - A fetch lists a folder, once for each folder that it needs, and opens no file: names, paths and
///   kinds are known from the list.
/// - The fault of a ``Document`` reads the first bytes of its file: title and tags. That of a
///   ``DocumentText`` reads the text.
/// - A predicate or an order reads what it asks for, of one file after the other: one on
///   `content.text` reads texts, and keeps none of them.
///
/// A save writes changed titles and tags of documents into their front matter, and leaves every other
/// byte of the files. What else is changed, front matter that is not valid, and files that have
/// changed meanwhile are refused.
///
/// The store does not notice changes of files by itself; ``FolderLibrary`` does, and merges them.
///
/// Register it under ``storeType`` before use, or let ``FolderLibrary`` do it.
public final class MarkdownFolderStore: IncrementalStore {
    public static let storeType = StoreType(rawValue: "Markdown folder")

    /// The classes of its objects.
    public static let classes: [ManagedObject.Type] = [
        FolderEntry.self, Folder.self, Document.self, DocumentText.self,
    ]

    /// The disk; set when the metadata are loaded, before any request.
    private(set) var disk = FolderDisk(root: "")

    override public var type: StoreType { MarkdownFolderStore.storeType }

    // MARK: What was read

    private static let disks = Mutex<[String: FolderDisk]>([:])

    /// What was read of the folder at a URL since the program began, by all stores.
    public static func reads(at url: URL) -> FolderReads {
        guard let path = realPath(url) else { return FolderReads() }
        return disks.withLock { $0[path]?.reads } ?? FolderReads()
    }

    /// The path of a folder without links; `nil` if there is nothing.
    static func realPath(_ url: URL) -> String? {
        guard let resolved = realpath(url.path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: Opening

    override public class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        [
            "NSStoreType": .string(storeType.rawValue),
            "NSStoreUUID": .string(identifier(of: try root(url)).uuidString),
        ]
    }

    /// Finds the folder; its path is its identity, so objects keep their IDs from one opening to the
    /// next.
    override public func loadMetadata() throws {
        guard let url else {
            throw ObjectGraphError(
                .cannotOpen,
                "A store of the type \(type.rawValue) needs a folder.",
                recovery: "Give its URL."
            )
        }
        let path = try Self.root(url)
        disk = Self.disks.withLock { disks in
            let disk = disks[path] ?? FolderDisk(root: path)
            disks[path] = disk
            return disk
        }
        metadata["NSStoreUUID"] = .string(Self.identifier(of: path).uuidString)
    }

    private static func root(_ url: URL) throws -> String {
        let what = "The folder \"\(url.path)\""
        guard let path = realPath(url) else {
            throw FolderDisk.Failure(number: errno).described(what)
        }
        let isFolder: Bool
        do throws(FolderDisk.Failure) {
            isFolder = try FolderDisk(root: path).status(.root).isFolder
        } catch {
            throw error.described(what)
        }
        if !isFolder { throw ObjectGraphError(.cannotOpen, "\"\(url.path)\" is not a folder.") }
        return path
    }

    /// A UUID that is made of the path's bytes (FNV-1a, in two directions).
    private static func identifier(of path: String) -> UUID {
        func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let halves = [hash(path.utf8), hash(path.utf8.reversed())]
        var bytes = halves.flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
        }
        // The bits of a UUID that says nothing about how it was made.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    // MARK: Reading

    override public func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        try answer(request)
    }

    override public func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? {
        guard let path = path(id), let kind = Kind(rawValue: id.entityName) else { return nil }
        return try StoredRow(path, kind, of: self).allValues()
            .map { row in
                let version = kind == .document ? try disk.status(path).version : nil
                return IncrementalStoreNode(objectID: id, values: row, version: version)
            }
    }

    override public func newValue(
        forRelationship relationship: RelationshipDescription,
        of id: ManagedObjectID
    ) throws -> [ManagedObjectID] {
        guard relationship.name == "children", let path = path(id) else { return [] }
        return try list(path).map { try self.id($0.path, $0.isFolder ? .folder : .document) }
    }

    // MARK: Saving

    override public func execute(_ request: StoreSaveRequest) throws { try save(request) }

    // MARK: Names

    enum Kind: String {
        case folder = "Folder"
        case document = "Document"
        case text = "DocumentText"
    }

    func id(_ path: EntryPath, _ kind: Kind) throws -> ManagedObjectID {
        guard let entity = model.entity(named: kind.rawValue) else {
            throw ObjectGraphError(
                .incompatibleSchema,
                "The model has no entity \(kind.rawValue).",
                recovery: "Open the folder with the classes of MarkdownFolderStore."
            )
        }
        return objectID(for: entity, withReferenceObject: path.reference)
    }

    func path(_ id: ManagedObjectID) -> EntryPath? { EntryPath(referenceObject(for: id)) }

    /// What is in a folder.
    ///
    /// - Throws: an error for the user if the folder is missing or may not be read.
    func list(_ path: EntryPath) throws -> [FolderDisk.Found] {
        do throws(FolderDisk.Failure) {
            return try disk.list(path)
        } catch {
            let name = path == .root ? url?.path ?? "" : path.text
            throw error.described("The folder \"\(name)\"")
        }
    }
}
