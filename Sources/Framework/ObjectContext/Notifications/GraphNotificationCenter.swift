import Synchronization

/// Notifies observers, selected by type, by name and by sender.
///
/// Posting calls the observers at once, on the poster's thread, in the order in which they were
/// added; when `post` returns, all have run. An observer that is removed during this is not called
/// any more; one that is added is not called yet. The center retains observers until they are
/// removed by their token, and never retains a sender.
///
///     let token = center.addObserver(of: UndoManager.DidUndoChange.self, from: undo) { _ in
///         redrawFooter()
///     }
///     center.removeObserver(token)
///
/// Safe to use from any thread. The captures of an observer are protected as follows: without a
/// sender it may be called on any thread and is `@Sendable`; with a sender it is called where that
/// sender posts, so it may capture values of that place, such as a context.
///
/// - Complexity: posting is O(observers of that name), and O(1) without observers.
public final class GraphNotificationCenter: Sendable {
    /// The token that removes an observer.
    public struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
        fileprivate let name: NotificationName?
    }

    /// The center that is used by default.
    public static let `default` = GraphNotificationCenter()

    /// One observer.
    ///
    /// Safety: its body runs under the rule in the center's head.
    private final class Observer: @unchecked Sendable {
        let number: UInt64
        let wantsSender: Bool
        weak let sender: AnyObject?
        let body: (any GraphNotification) -> Void
        let isRemoved = Atomic(false)

        init(
            _ number: UInt64,
            _ sender: AnyObject?,
            _ body: @escaping (any GraphNotification) -> Void
        ) {
            self.number = number
            self.wantsSender = sender != nil
            self.sender = sender
            self.body = body
        }

        /// Whether the sender that it observes was released, so that it can never be called again.
        var isOrphan: Bool { wantsSender && sender == nil }

        func wants(_ notification: any GraphNotification) -> Bool {
            guard wantsSender else { return true }
            return sender.map { $0 === notification.sender } ?? false
        }
    }

    private struct Registry {
        // By text, which is cheaper to look up for the first time in a program than a type of ours.
        private(set) var named: [String: [Observer]] = [:]
        /// The observers of every name.
        private(set) var ofAll: [Observer] = []
        var lastNumber: UInt64 = 0

        var count: Int { named.values.reduce(ofAll.count) { $0 + $1.count } }

        /// The observers of a name; `nil` = of every name.
        subscript(_ name: NotificationName?) -> [Observer] {
            get { name.map { named[$0.rawValue] ?? [] } ?? ofAll }
            set {
                if let name {
                    named[name.rawValue] = newValue.isEmpty ? nil : newValue
                } else {
                    ofAll = newValue
                }
            }
        }
    }

    private let registry = Mutex(Registry())

    public init() {}

    /// How many observers there are.
    package var observerCount: Int {
        registry.withLock { $0.count }
    }

    /// Observes one kind of notification from any sender, on whichever thread it is posted.
    public func addObserver<N: GraphNotification>(
        of type: N.Type,
        _ body: @escaping @Sendable (N) -> Void
    ) -> Token {
        add(N.name, nil) { notification in (notification as? N).map(body) }
    }

    /// Observes one kind of notification from one sender, where that sender posts.
    ///
    /// Compiles only for a sender that can post it.
    public func addObserver<N: GraphNotification>(
        of type: N.Type,
        from sender: N.Sender,
        _ body: @escaping (N) -> Void
    ) -> Token {
        add(N.name, sender) { notification in (notification as? N).map(body) }
    }

    /// Observes by name (`nil` = every name) from any sender, on whichever thread it is posted.
    public func addObserver(
        named name: NotificationName?,
        _ body: @escaping @Sendable (any GraphNotification) -> Void
    ) -> Token {
        add(name, nil, body)
    }

    /// Observes by name (`nil` = every name) from one sender, where that sender posts.
    public func addObserver(
        named name: NotificationName?,
        from sender: AnyObject,
        _ body: @escaping (any GraphNotification) -> Void
    ) -> Token {
        add(name, sender, body)
    }

    private func add(
        _ name: NotificationName?,
        _ sender: AnyObject?,
        _ body: @escaping (any GraphNotification) -> Void
    ) -> Token {
        let number = registry.withLock { registry in
            registry.lastNumber += 1
            return registry.lastNumber
        }
        let observer = Observer(number, sender, body)
        registry.withLock { registry in
            registry[name].removeAll(where: \.isOrphan)
            registry[name].append(observer)
        }
        return Token(number: number, name: name)
    }

    /// Removes an observer; a token used twice does nothing.
    public func removeObserver(_ token: Token) {
        let removed = registry.withLock { registry -> Observer? in
            let index = registry[token.name].firstIndex { $0.number == token.number }
            return index.map { registry[token.name].remove(at: $0) }
        }
        // The captures of the observer are released here, outside the lock.
        removed?.isRemoved.store(true, ordering: .releasing)
    }

    /// Calls every observer of the notification's name and sender.
    public func post(_ notification: any GraphNotification) {
        let name = notification.name
        let found = registry.withLock { registry -> [Observer] in
            let (named, all) = (registry[name], registry.ofAll)
            if all.isEmpty { return named }
            return named.isEmpty ? all : (named + all).sorted { $0.number < $1.number }
        }
        for observer in found
        where !observer.isRemoved.load(ordering: .acquiring) && observer.wants(notification) {
            observer.body(notification)
        }
    }

    /// Posts a notification that only has a name.
    public func post(
        _ name: NotificationName,
        from sender: AnyObject?,
        userInfo: [String: Any] = [:]
    ) {
        post(NamedNotification(name, from: sender, userInfo: userInfo))
    }
}
