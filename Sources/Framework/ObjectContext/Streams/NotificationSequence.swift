/// The notifications of one sender as an asynchronous sequence.
///
///     for await save in context.saves { log(save.inserted.count) }
///
/// Notifications that come while the loop is busy wait. The loop runs where the sender is, and ends
/// with its task. One loop reads a sequence, from the moment it was asked for.
public struct NotificationSequence<Element: GraphNotification>: AsyncSequence {
    public typealias Failure = Never

    private let queue: EventQueue<Element>

    init(_ center: GraphNotificationCenter, _ type: Element.Type, from sender: Element.Sender) {
        let tokens = TokenHolder()
        let queue = EventQueue<Element>(limit: .max) {
            if let token = tokens.token { center.removeObserver(token) }
        }
        tokens.token = center.addObserver(of: type, from: sender) { [weak queue] in queue?.put($0) }
        self.queue = queue
    }

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    public struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue<Element>

        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next notification; `nil` when the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await queue.next(isolation: actor)
        }
    }
}

/// Keeps the token that an observer gets after the queue that it feeds was made.
private final class TokenHolder {
    var token: GraphNotificationCenter.Token?
}

extension GraphNotificationCenter {
    /// The notifications of one kind from one sender, from now on, as an asynchronous sequence.
    public func notifications<N: GraphNotification>(
        of type: N.Type,
        from sender: N.Sender
    ) -> NotificationSequence<N> { NotificationSequence(self, type, from: sender) }
}

extension ManagedObjectContext {
    /// The saves of this context from now on, as an asynchronous sequence.
    public var saves: NotificationSequence<ContextDidSave> {
        notifications.notifications(of: ContextDidSave.self, from: self)
    }

    /// What changes in this context from now on, once for each event, as an asynchronous sequence.
    public var changes: NotificationSequence<ObjectsDidChange> {
        notifications.notifications(of: ObjectsDidChange.self, from: self)
    }
}
