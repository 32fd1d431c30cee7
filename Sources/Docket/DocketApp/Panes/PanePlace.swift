/// Where a pane stands.
enum PanePlace: String, Sendable {
    case left
    case middle
    case right
    /// Over the whole screen, in place of the others.
    case whole
}
