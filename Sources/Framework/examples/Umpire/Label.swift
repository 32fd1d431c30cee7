import ObjectGraph

/// A label that shows a number and follows its changes.
final class Label {
    let title: String
    private(set) var text = ""
    /// How often the number was set since the label began to follow it.
    private(set) var changes = -1
    /// Ends with the label.
    private var observation: KeyValueObservation?

    init(_ title: String, of counter: UmpireCounter) throws {
        self.title = title
        observation = try counter.observe(title.lowercased(), options: [.initial, .new]) {
            [weak self] _, change in
            self?.show(change.newValue ?? nil)
        }
    }

    private func show(_ value: GraphValue) {
        text = "\(title) \(Int(value: value) ?? 0)"
        changes += 1
    }
}
