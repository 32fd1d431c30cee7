/// Short messages that go away by themselves.
package struct MessageBar: Sendable {
    package enum Kind: Hashable, Sendable {
        case info
        case success
        case warning
        case error
    }

    private struct Message: Sendable {
        let text: String
        let kind: Kind
        let end: ContinuousClock.Instant
    }

    private var message: Message?

    package init() {}

    /// The message on the screen.
    package var text: String? { message?.text }
    package var kind: Kind? { message?.kind }

    /// When the message goes: wait no longer than until then, and call ``expire(at:)``.
    package var deadline: ContinuousClock.Instant? { message?.end }

    /// Shows a message in place of the one before; errors stay longer.
    package mutating func show(
        _ text: String,
        _ kind: Kind = .info,
        at now: ContinuousClock.Instant,
        for duration: Duration? = nil
    ) {
        let usual: Duration = kind == .error || kind == .warning ? .seconds(10) : .seconds(4)
        message = Message(
            text: DisplayWidth.singleLine(text),
            kind: kind,
            end: now + (duration ?? usual)
        )
    }

    /// Takes the message away, at the next key for example.
    package mutating func clear() { message = nil }

    /// Takes the message away when its time is over.
    /// - Returns: whether it was, and the screen must be drawn.
    package mutating func expire(at now: ContinuousClock.Instant) -> Bool {
        guard let message, message.end <= now else { return false }
        self.message = nil
        return true
    }

    /// The columns that the message takes, its sign included; 0 without one.
    package var columns: Int { message.map { DisplayWidth.of($0.text) + 2 } ?? 0 }

    /// Draws the message in the canvas's first row, from the left; the rest of the row is left.
    package func render(into canvas: inout Canvas, theme: Theme) {
        guard let message else { return }
        let sign: Unicode.Scalar
        let role: Role
        switch message.kind {
        case .info: (sign, role) = (canvas.symbols.info, .info)
        case .success: (sign, role) = (canvas.symbols.success, .success)
        case .warning: (sign, role) = (canvas.symbols.warning, .warning)
        case .error: (sign, role) = (canvas.symbols.error, .error)
        }
        canvas.put(
            "\(sign) \(message.text)",
            at: Position(row: 0, column: 0),
            style: theme[role]
        )
    }
}
