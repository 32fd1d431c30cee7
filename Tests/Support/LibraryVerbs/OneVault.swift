import Synchronization

/// Lets one test at a time use a vault: the keys of encrypted attributes belong to the process.
package enum OneVault {
    private static let turn = Mutex(())

    package static func alone(_ body: () throws -> Void) rethrows {
        try turn.withLock { _ in try body() }
    }
}
