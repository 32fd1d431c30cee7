/// Where a key is used.
package struct KeyContext: Hashable, Sendable {
    let name: String
    /// Whether the library is in sight, so that its last step can be undone.
    var showsLibrary = true

    /// The panes of items; commands about moving, undo and the program work in all panes.
    package static let main = KeyContext(name: "main")
    /// An open form.
    package static let form = KeyContext(name: "form")
}
