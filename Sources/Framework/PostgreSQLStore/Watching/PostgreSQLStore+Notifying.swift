import ObjectStore

// Others are told that there is something new, at most some times a second: NOTIFY takes a lock of
// the whole server while it commits. Who misses one finds the save by its next look.

extension PostgreSQLStore {
    private static let notificationInterval = Duration.milliseconds(250)

    /// Adds a notification to a pipeline, behind its COMMIT, unless the last one was just before.
    func enqueueNotification(on connection: PostgreSQLConnection) throws {
        let now = ContinuousClock.now
        if let lastNotified, now - lastNotified < Self.notificationInterval { return }
        lastNotified = now
        try connection.enqueue("NOTIFY \(place.channel)")
    }
}
