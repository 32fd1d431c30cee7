import ObjectGraph

/// A button that knows only its title.
struct Button {
    let title: String

    /// The title decides the effect of a press: "Balls" increments the property `balls`.
    func press(_ counter: UmpireCounter) throws { try counter.countUp(title.lowercased()) }
}
