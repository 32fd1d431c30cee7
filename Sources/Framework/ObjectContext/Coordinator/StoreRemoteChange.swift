/// Another process, or another coordinator of this one, has written to a store.
///
/// Posted to ``GraphNotificationCenter/default``, without a sender, on a thread of the framework. So its
/// observers are `@Sendable`, and use a context by its `perform`. Several saves within a short time
/// may be one notification.
///
/// The history has the changes; see <doc:History>.
public struct StoreRemoteChange: GraphNotification, Sendable {
    public static let name: NotificationName = "StoreRemoteChange"

    /// The store that was written to.
    public let store: StoreReference
    /// The number of the store's newest transaction, by any program; 0 without a history.
    public let transaction: Int64
    /// The coordinator that reports it: a store may be open in several.
    let coordinator: ObjectIdentifier

    /// Always `nil`: it is not posted on a context's thread.
    public var sender: NoSender? { nil }
}
