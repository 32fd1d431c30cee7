/// Where a key is used.
package struct KeyContext: Hashable, Sendable {
    let name: String

    /// The panes of items; commands about moving, undo and the program work in all panes.
    package static let main = KeyContext(name: "main")
    /// An open form.
    package static let form = KeyContext(name: "form")
}
