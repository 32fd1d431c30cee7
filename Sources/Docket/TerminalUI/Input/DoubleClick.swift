/// Recognises the second press of a double click: at the same place, within a moment.
public struct DoubleClick: Sendable {
    private var last: (row: Int, position: Position, time: ContinuousClock.Instant)?

    /// How much time there may be between the two presses.
    private static let longest = Duration.milliseconds(400)

    public init() {}

    /// Takes a press of the left button on a row of what is shown.
    ///
    /// - Returns: whether it is the second one; the third begins another double click.
    public mutating func isSecond(_ press: MouseEvent, row: Int) -> Bool {
        let isSecond =
            last.map {
                $0.row == row && $0.position == press.position
                    && press.time - $0.time < DoubleClick.longest
            } ?? false
        last = isSecond ? nil : (row, press.position, press.time)
        return isSecond
    }
}
