/// The undo manager of a context.
final class UndoLink {
    private(set) var manager: UndoManager?
    private var checkpoints:
        (center: GraphNotificationCenter, token: GraphNotificationCenter.Token)?

    deinit { stop() }

    /// Sets the manager.
    ///
    /// - Parameters:
    ///   - manager: the new one, if any.
    ///   - atCheckpoint: called whenever the manager is about to open, close or perform a group, so
    ///     that the changes so far belong to the right one.
    func set(_ manager: UndoManager?, atCheckpoint: @escaping () -> Void) {
        stop()
        self.manager = manager
        guard let manager else { return }
        let center = manager.notificationCenter
        let token = center.addObserver(of: UndoManager.Checkpoint.self, from: manager) { _ in
            atCheckpoint()
        }
        checkpoints = (center, token)
    }

    private func stop() {
        if let (center, token) = checkpoints { center.removeObserver(token) }
        checkpoints = nil
    }
}
