import ObjectStore

/// Reports the progress of running statements, and stops them when the migration is cancelled.
final class MigrationTicker: Ticker {
    private let monitor: MigrationMonitor
    private var phase = ""
    private var from = 0.0
    private var to = 0.0
    private var expected = 1.0
    private var ticks = 0.0

    /// A tick comes after 2,000 instructions of SQLite, and a row needs some dozens.
    private static let rowsPerTick = 80.0

    init(_ monitor: MigrationMonitor) { self.monitor = monitor }

    func begin(_ phase: String, from: Double, to: Double, rows: Double) {
        (self.phase, self.from, self.to) = (phase, from, to)
        expected = max(1, rows / MigrationTicker.rowsPerTick)
        ticks = 0
    }

    override func tick() -> Bool {
        if monitor.isCancelled { return true }
        ticks += 1
        // Comes ever closer to the end of the step, however wrong the estimate is.
        let part = ticks / (ticks + expected / 2)
        monitor.note(from + (to - from) * part, phase)
        return monitor.isCancelled
    }
}
