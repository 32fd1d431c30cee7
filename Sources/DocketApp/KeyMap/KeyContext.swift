/// Where a key is used.
package enum KeyContext: String, Sendable, CaseIterable {
    /// The panes.
    case main
    /// An open form.
    case form
}
