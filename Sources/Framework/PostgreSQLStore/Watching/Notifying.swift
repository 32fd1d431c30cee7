/// When a save tells others that there is something new: at most some times a second for each library,
/// because NOTIFY takes a lock of the whole server while it commits.
///
/// The time of the last one is in the row that every save locks. Who misses a notification finds the
/// save by looking.
enum Notifying {
    /// The server's time in seconds.
    static let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)"
    /// 1 if a save notifies, else 0.
    ///
    /// A clock that was set back does not stop it.
    static let isDue =
        "CAST(CASE WHEN ABS(\(now) - notified) < 0.25 THEN 0 ELSE 1 END AS BIGINT)"
}
