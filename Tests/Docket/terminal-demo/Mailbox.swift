import Synchronization

/// Messages from any thread to the event loop.
///
/// The loop takes them after waking; several posts before that wake it once or more, and all are
/// taken together.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wake: @Sendable () -> Void

    /// A mailbox whose posts call `wake`, the terminal's for example.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Adds a message and wakes the loop.
    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Takes all messages, oldest first.
    func take() -> [Message] {
        messages.withLock { messages in
            let taken = messages
            messages = []
            return taken
        }
    }
}
