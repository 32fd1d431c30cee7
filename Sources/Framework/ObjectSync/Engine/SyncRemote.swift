import FoundationEssentials

/// One object as a remote has it.
public struct RemoteItem: Hashable, Sendable {
    /// The remote's own name for the object.
    public var href: String
    /// What identifies this state of the object, such as an ETag.
    public var version: String
    public var record: SyncRecord

    public init(href: String, version: String, record: SyncRecord) {
        self.href = href
        self.version = version
        self.record = record
    }
}

/// What has changed on a remote.
public struct RemoteChanges: Hashable, Sendable {
    /// Objects that are new or have changed; it does no harm to name others.
    public var items: [RemoteItem]
    /// The hrefs of objects that are gone.
    public var removed: [String]
    /// Whether `items` are all objects of the remote: what is not among them is gone.
    public var isComplete: Bool
    /// The place after these changes.
    public var token: String?
    /// Whether there are more changes after the token.
    public var hasMore: Bool

    public init(
        items: [RemoteItem] = [],
        removed: [String] = [],
        isComplete: Bool = false,
        token: String? = nil,
        hasMore: Bool = false
    ) {
        self.items = items
        self.removed = removed
        self.isComplete = isComplete
        self.token = token
        self.hasMore = hasMore
    }
}

/// A change that a replica sends to a remote.
public struct RemoteEdit: Hashable, Sendable {
    public var key: SyncKey
    /// The new state; `nil` deletes the object.
    ///
    /// It is kept as bytes, a third of the memory.
    public var record: SyncRecord? {
        get { bytes.flatMap { try? SyncRecordReader.record($0) } }
        set { bytes = newValue.map(SyncRecordWriter.data) }
    }
    private var bytes: Data?
    /// The remote's name for the object; `nil` for one that was never there.
    public var href: String?
    /// The version that the remote must have; `nil` if it must not have the object.
    public var version: String?

    public init(
        _ key: SyncKey,
        record: SyncRecord?,
        href: String? = nil,
        version: String? = nil
    ) {
        self.key = key
        self.href = href
        self.version = version
        self.record = record
    }
}

/// The answer of a remote to an edit.
public enum RemoteAnswer: Hashable, Sendable {
    /// The object has the new state, under this name and version.
    case stored(href: String, version: String)
    /// The object is gone.
    case deleted
    /// The remote has another version, or none; nothing was changed.
    case mismatch
}

/// Somebody with the same objects: a server, a file, another store.
///
/// Calls may take long and may fail at any point; an edit whose answer is lost may have been made or
/// not. Neither loses or doubles anything.
public protocol SyncRemote {
    /// The name under which the engine keeps what was agreed with the remote; unique in the store.
    var name: String { get }

    /// What has changed since a token.
    ///
    /// - Parameter token: the place up to which the changes are known; `nil` at first. For one that
    ///   the remote does not know any more it answers with everything, as ``RemoteChanges/isComplete``.
    /// - Returns: the changes; all of them if they are complete, else as many as fit into a part.
    /// - Throws: any error; the engine passes it on.
    func changes(since token: String?) throws -> RemoteChanges

    /// The present state of one object; `nil` if the remote does not have it.
    ///
    /// - Parameters:
    ///   - key: the object.
    ///   - href: the remote's name for it, if that is known.
    /// - Returns: the state.
    /// - Throws: any error.
    func item(_ key: SyncKey, href: String?) throws -> RemoteItem?

    /// Divides what is to be sent into the parts of which each is sent and answered at once.
    ///
    /// - Parameter edits: all edits.
    /// - Returns: the same edits, in the order in which they are sent; by default 400 a part.
    /// - Throws: any error.
    func parts(of edits: [RemoteEdit]) throws -> [[RemoteEdit]]

    /// Makes some changes, each only if the remote has the version that it expects.
    ///
    /// - Returns: an answer for each edit.
    /// - Throws: any error. Then any of the edits may have been made.
    func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer]

    /// The place to go on from after the edits that were answered last.
    ///
    /// - Parameter token: the one that is kept; it does not have the own edits.
    /// - Returns: what is kept instead, with the answers; by default the same.
    func token(afterPush token: String?) -> String?
}

extension SyncRemote {
    public func token(afterPush token: String?) -> String? { token }

    public func parts(of edits: [RemoteEdit]) throws -> [[RemoteEdit]] { edits.inBatches() }
}

extension [RemoteEdit] {
    /// In parts of a usual size, which lose little if one is lost.
    public func inBatches() -> [[RemoteEdit]] {
        stride(from: 0, to: count, by: 400).map { Array(self[$0..<Swift.min(count, $0 + 400)]) }
    }
}
