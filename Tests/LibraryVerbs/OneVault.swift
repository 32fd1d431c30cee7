import Foundation

/// Lets one test at a time use a vault: the keys of encrypted attributes belong to the process.
package enum OneVault {
    private static let lock = NSLock()

    package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
