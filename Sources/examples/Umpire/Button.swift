import ObjectGraph

/// A button that knows its title and nothing else.
struct Button {
    let title: String

    /// What a press does follows from the title: "Balls" counts up the property `balls`.
    func press(_ counter: UmpireCounter) throws { try counter.countUp(title.lowercased()) }
}
