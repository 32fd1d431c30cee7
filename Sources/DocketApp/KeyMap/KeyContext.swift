/// Where keys count.
package enum KeyContext: String, Sendable, CaseIterable {
    /// The panes.
    case main
    /// An open form.
    case form
}
