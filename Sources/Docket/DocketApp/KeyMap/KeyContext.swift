/// Where a key is used.
public struct KeyContext: Hashable, Sendable {
    let name: String

    /// The panes of items; commands about moving, undo and the program work in all panes.
    public static let main = KeyContext(name: "main")
    /// An open form.
    public static let form = KeyContext(name: "form")
}
