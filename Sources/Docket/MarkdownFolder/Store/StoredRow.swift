import FoundationEssentials
import ObjectGraph

/// An entry of a folder for the evaluation of predicates and orders: each value is read when it is
/// asked for.
final class StoredRow: KeyValueCoding {
    let path: EntryPath
    let kind: MarkdownFolderStore.Kind
    private let store: MarkdownFolderStore
    private var head: DocumentReading??
    private var status: FolderDisk.Status??
    private var text: DocumentReading??

    init(_ path: EntryPath, _ kind: MarkdownFolderStore.Kind, of store: MarkdownFolderStore) {
        self.path = path
        self.kind = kind
        self.store = store
    }

    /// The keys that a row has, those of the text behind `content.`.
    static let keys: Set<String> = [
        "name", "path", "isFolder", "modified", "parent", "title", "tags", "size", "content",
        "frontMatterProblem", "text", "problem", "document", "content.text", "content.problem",
        "parent.path",
        "parent.name", "document.name", "document.path", "document.title",
    ]

    var managedObjectID: ManagedObjectID? { try? store.id(path, kind) }

    var entityNames: [String] {
        kind == .text ? [kind.rawValue] : [kind.rawValue, FolderEntry.entityName]
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        try setValue(value, forUndefinedKey: key)
    }

    func value(forKey key: String) throws -> GraphValue {
        switch (kind, key) {
        case (.text, "document"): .object(StoredRow(path, .document, of: store))
        case (.text, "text"): try content().map { .string($0.text) } ?? .null
        case (.text, "problem"): try content()?.problem.map { .string($0) } ?? .null
        case (.text, _): try value(forUndefinedKey: key)
        case (_, "name"): .string(path == .root ? rootName : path.name)
        case (_, "path"): .string(path.text)
        case (_, "isFolder"): .bool(kind == .folder)
        case (_, "parent"):
            path.parent.map { .object(StoredRow($0, .folder, of: store)) } ?? .null
        case (_, "modified"): try modified.map { .date($0) } ?? .null
        case (.document, "title"): try .string(title(beginning()))
        case (.document, "tags"): try .string(beginning()?.head.tags.joined(separator: " ") ?? "")
        case (.document, "frontMatterProblem"):
            try beginning()?.head.problem.map { .string($0) } ?? .null
        case (.document, "size"): .int(try fileStatus()?.size ?? 0)
        case (.document, "content"): .object(contentRow)
        case (.folder, "title"), (.folder, "tags"), (.folder, "size"), (.folder, "content"),
            (.folder, "frontMatterProblem"):
            .null
        default: try value(forUndefinedKey: key)
        }
    }

    private lazy var contentRow = StoredRow(path, .text, of: store)

    /// Drops what was read of the text.
    func forgetText() {
        text = nil
        if kind == .document { contentRow.text = nil }
    }

    /// All values, for the object's fault.
    ///
    /// - Returns: `nil` if there is no such file or folder, also where a folder has a document's name.
    func allValues() throws -> [String: GraphValue]? {
        switch kind {
        case .folder:
            guard let status = try fileStatus(), status.isFolder else { return nil }
            return try values("name", "path", "isFolder", "modified").merging(parent()) { $1 }
        case .document:
            guard let found = try beginning(), !found.status.isFolder else { return nil }
            status = .some(found.status)
            return try values(
                "name",
                "path",
                "isFolder",
                "modified",
                "title",
                "tags",
                "frontMatterProblem",
                "size"
            )
            .merging(parent()) { $1 }
            .merging(["content": .objectID(store.id(path, .text))]) { $1 }
        case .text:
            guard let found = try content(), !found.status.isFolder else { return nil }
            return try values("text", "problem")
                .merging(["document": .objectID(store.id(path, .document))]) { $1 }
        }
    }

    private func values(_ keys: String...) throws -> [String: GraphValue] {
        var values: [String: GraphValue] = [:]
        for key in keys { values[key] = try value(forKey: key) }
        return values
    }

    private func parent() throws -> [String: GraphValue] {
        ["parent": try path.parent.map { .objectID(try store.id($0, .folder)) } ?? .null]
    }

    // MARK: Reading

    private var rootName: String { store.url?.lastPathComponent ?? "" }

    private var modified: Date? { get throws { try fileStatus()?.modified } }

    private func title(_ found: DocumentReading?) -> String {
        if let title = found?.head.title, !title.isEmpty { return title }
        let name = path.name
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    private func fileStatus() throws -> FolderDisk.Status? {
        if let status { return status }
        var found: FolderDisk.Status?
        do throws(FolderDisk.Failure) {
            found = try store.disk.status(path)
        } catch {
            if !error.isMissing { throw error.described("\"\(path.text)\"") }
        }
        status = .some(found)
        return found
    }

    private func beginning() throws -> DocumentReading? {
        if let head { return head }
        let found = try DocumentReading.head(path, on: store.disk)
        head = .some(found)
        return found
    }

    private func content() throws -> DocumentReading? {
        if let text { return text }
        let found = try DocumentReading.text(path, on: store.disk)
        text = .some(found)
        return found
    }
}
