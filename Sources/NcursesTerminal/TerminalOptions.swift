/// What a terminal is asked for when it is opened.
package struct TerminalOptions: Sendable {
    /// Whether frames are marked so that the terminal shows them at once (mode 2026).
    package var synchronizesFrames = true
    /// Whether clicks, drags and the wheel come as events; then the terminal's own selection of text
    /// needs shift.
    package var usesMouse = true
    /// Whether keys are told apart by the kitty protocol where the terminal has it.
    package var usesKeyboardProtocol = true
    /// Whether colours are left out; `NO_COLOR` in the environment does the same.
    package var isMonochrome = false

    package init() {}
}
