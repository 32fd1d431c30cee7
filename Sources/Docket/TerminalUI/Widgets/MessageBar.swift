/// Short messages that disappear after a time.
public struct MessageBar: Equatable, Sendable {
    public enum Kind: Hashable, Sendable {
        case info
        case success
        case warning
        case error
    }

    private struct Message: Equatable, Sendable {
        let text: String
        let kind: Kind
        let end: ContinuousClock.Instant?
    }

    private var message: Message?

    public init() {}

    /// The message on the screen.
    public var text: String? { message?.text }
    public var kind: Kind? { message?.kind }

    /// When the message disappears: wait until then, and call ``expire(at:)``.
    public var deadline: ContinuousClock.Instant? { message?.end }

    /// Shows a message in place of the last one; errors stay longer.
    ///
    /// Line ends are kept; a message that `staysUntilKey` disappears by ``clear()`` only.
    public mutating func show(
        _ text: String,
        _ kind: Kind = .info,
        at now: ContinuousClock.Instant,
        for duration: Duration? = nil,
        staysUntilKey: Bool = false
    ) {
        let usual: Duration = kind == .error || kind == .warning ? .seconds(10) : .seconds(4)
        let lines = DisplayWidth.sanitize(text).split(separator: "\n")
        message = Message(
            text: lines.map { DisplayWidth.singleLine(String($0)) }.joined(separator: "\n"),
            kind: kind,
            end: staysUntilKey ? nil : now + (duration ?? usual)
        )
    }

    /// Removes the message, for example at the next key.
    public mutating func clear() { message = nil }

    /// Removes the message if its time is over.
    ///
    /// - Returns: whether it was removed, so that the screen must be redrawn.
    public mutating func expire(at now: ContinuousClock.Instant) -> Bool {
        guard let end = message?.end, end <= now else { return false }
        self.message = nil
        return true
    }

    /// The columns of the message, with its sign; 0 without one.
    public var columns: Int { message.map { DisplayWidth.of($0.text) + 2 } ?? 0 }

    /// Whether the message fits into one row of this number of columns.
    public func fits(_ columns: Int) -> Bool {
        self.columns <= columns && !(message?.text.contains("\n") ?? false)
    }

    /// The message in rows of this number of columns, with its sign and an indent; nothing is cut.
    public func rows(columns: Int) -> [Substring] {
        guard let message else { return [] }
        return DisplayWidth.wrapped(message.text, columns: max(1, columns - 2))
    }

    /// Draws the message in the canvas's first row, from the left; the rest of the row does not
    /// change.
    public func render(into canvas: inout Canvas, theme: Theme) {
        guard let message else { return }
        let (sign, role) = sign(message.kind, canvas.symbols)
        canvas.put("\(sign) \(message.text)", at: Position(row: 0, column: 0), style: theme[role])
    }

    /// Draws the message in all its rows; if the canvas has fewer, the last one tells how many more
    /// there are, by `more`.
    public func renderWrapped(
        into canvas: inout Canvas,
        theme: Theme,
        more: (Int) -> String
    ) {
        guard let message, canvas.rows > 0 else { return }
        let (sign, role) = sign(message.kind, canvas.symbols)
        canvas.fill(canvas.bounds, style: theme[.text])
        canvas.put(String(Character(sign)), at: Position(row: 0, column: 0), style: theme[role])
        let rows = rows(columns: canvas.columns)
        for (index, row) in rows.prefix(canvas.rows).enumerated() {
            let isLast = index == canvas.rows - 1 && rows.count > canvas.rows
            let rest = isLast ? "\(canvas.symbols.ellipsis) \(more(rows.count - index))" : ""
            canvas.put(
                isLast ? rest[...] : row,
                at: Position(row: index, column: 2),
                style: theme[role]
            )
        }
    }

    private func sign(_ kind: Kind, _ symbols: Symbols) -> (Unicode.Scalar, Role) {
        switch kind {
        case .info: (symbols.info, .info)
        case .success: (symbols.success, .success)
        case .warning: (symbols.warning, .warning)
        case .error: (symbols.error, .error)
        }
    }
}
