/// The name under which a notification is posted and observed.
public struct NotificationName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }
}

/// A message of a ``GraphNotificationCenter``.
///
/// Each kind is a type of its own, so an observer reads properties and not a dictionary; and its
/// sender has a type, so an observer cannot wait for a sender that never posts it:
///
///     struct ListDidSort: GraphNotification {
///         let sender: SongList?
///         let key: String
///     }
///
/// Notifications that only have a name are ``NamedNotification``.
public protocol GraphNotification {
    /// What posts it: `AnyObject` if that may be anything, ``NoSender`` if it is posted without a
    /// sender.
    associatedtype Sender: AnyObject

    /// The name of every notification of this type; by default the type's own.
    static var name: NotificationName { get }

    /// The name of this notification; by default its type's.
    var name: NotificationName { get }

    /// The object that posts it; observers can select it.
    var sender: Sender? { get }
}

/// The sender of notifications that have none, because they are posted on a thread of the framework.
///
/// It has no instances, so `addObserver(of:from:)` does not compile for such a notification; observe
/// it from any sender, and compare what it says.
public final class NoSender: Sendable {
    private init() {}
}

extension GraphNotification {
    public static var name: NotificationName { NotificationName("\(Self.self)") }

    public var name: NotificationName { Self.name }
}

/// A notification with only a name, and any values that the poster adds.
public struct NamedNotification: GraphNotification {
    public let name: NotificationName
    public let sender: AnyObject?
    public let userInfo: [String: Any]

    public init(_ name: NotificationName, from sender: AnyObject?, userInfo: [String: Any] = [:]) {
        self.name = name
        self.sender = sender
        self.userInfo = userInfo
    }
}
