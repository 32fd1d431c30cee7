import ObjectGraph

/// Observes a context as long as this object exists.
///
/// The closures should hold their owner weakly.
final class ContextObservation {
    private let center: GraphNotificationCenter
    private var tokens: [GraphNotificationCenter.Token]

    /// Calls the closures after each event and, if wanted, after each save of the context.
    init(
        _ context: ManagedObjectContext,
        didSave: ((ContextDidSave) -> Void)? = nil,
        didChange: @escaping (ObjectsDidChange) -> Void
    ) {
        center = context.notifications
        tokens = [center.addObserver(of: ObjectsDidChange.self, from: context, didChange)]
        if let didSave {
            tokens.append(center.addObserver(of: ContextDidSave.self, from: context, didSave))
        }
    }

    deinit { for token in tokens { center.removeObserver(token) } }
}
