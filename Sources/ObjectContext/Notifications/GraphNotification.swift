/// The name under which a notification is posted and observed.
public struct NotificationName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }
}

/// A message of a ``GraphNotificationCenter``.
///
/// Each kind is a type of its own, so an observer reads properties and not a dictionary:
///
///     struct ListDidSort: GraphNotification {
///         let sender: AnyObject?
///         let key: String
///     }
///
/// Notifications that only have a name are ``NamedNotification``.
public protocol GraphNotification {
    /// The name of every notification of this type; by default the type's own.
    static var name: NotificationName { get }

    /// The name of this notification; by default its type's.
    var name: NotificationName { get }

    /// The object that posts it; observers can select it.
    var sender: AnyObject? { get }
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
