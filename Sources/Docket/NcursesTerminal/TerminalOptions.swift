/// Options for opening a terminal.
package struct TerminalOptions: Sendable {
    /// Whether frames are marked so that the terminal shows each as a whole (mode 2026).
    package var synchronizesFrames = true
    /// Whether clicks, drags and the wheel are events; then selecting text in the terminal needs
    /// shift.
    package var usesMouse = true
    /// Whether the kitty protocol is used, which distinguishes more keys, where the terminal has
    /// it.
    package var usesKeyboardProtocol = true
    /// Whether to draw without colours; `NO_COLOR` in the environment does the same.
    package var isMonochrome = false

    package init() {}
}
