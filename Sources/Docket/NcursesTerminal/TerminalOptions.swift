/// Options for opening a terminal.
public struct TerminalOptions: Sendable {
    /// Whether frames are marked so that the terminal shows each as a whole (mode 2026).
    public var synchronizesFrames = true
    /// Whether clicks, drags and the wheel are events; then selecting text in the terminal needs
    /// shift.
    public var usesMouse = true
    /// Whether the kitty protocol is used, which distinguishes more keys, where the terminal has
    /// it.
    public var usesKeyboardProtocol = true
    /// Whether to draw without colours; `NO_COLOR` in the environment does the same.
    public var isMonochrome = false

    public init() {}
}
