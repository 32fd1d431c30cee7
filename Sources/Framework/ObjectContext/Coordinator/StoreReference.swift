public import FoundationEssentials
public import ObjectStore

/// A store that a coordinator has, or had, open, as a value.
///
/// Two references are equal if they name the same store by its identifier, wherever its file is.
public struct StoreReference: Hashable, Sendable {
    /// The store's own UUID, from its metadata.
    public let identifier: UUID
    /// The type of the store.
    public let type: StoreType
    /// The store's file; `nil` for a store without one.
    public let url: URL?
    /// The part of the model that the store holds; `nil` = all of it.
    public let configuration: String?
    /// Whether it was opened for reading only.
    public let isReadOnly: Bool

    package init(_ store: any PersistentStore) {
        identifier = store.identifier
        type = store.type
        url = store.url
        configuration = store.configurationName
        isReadOnly = store.isReadOnly
    }

    public static func == (first: StoreReference, second: StoreReference) -> Bool {
        first.identifier == second.identifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// The store in a message: its file, or else its identifier.
    var name: String { url?.path ?? identifier.uuidString }
}
