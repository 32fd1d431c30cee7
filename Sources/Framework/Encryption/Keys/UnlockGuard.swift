import FoundationEssentials
import Glibc
import Synchronization

/// Counts wrong passphrases in a small file, so that the waiting time survives a restart and counts
/// for all processes together.
///
/// An attempt is counted before the passphrase is tried and taken back when it was right, so killing
/// the program meanwhile gains nothing. If the file cannot be written, in a read-only folder for
/// instance, the count is kept in memory.
///
/// The guard slows down somebody at the keyboard. Somebody who has a copy of the store is slowed down
/// by the cost of the key derivation only.
public final class UnlockGuard: Sendable {
    private let path: String
    private let clock: @Sendable () -> UnlockDelay.Now
    /// The state when there is no file to keep it.
    private let memory = Mutex(UnlockDelay())

    /// - Parameters:
    ///   - path: the file that keeps the count, readable by its owner only.
    ///   - clock: the time, for tests.
    public init(
        path: String,
        clock: @escaping @Sendable () -> UnlockDelay.Now = UnlockGuard.systemClock
    ) {
        self.path = path
        self.clock = clock
    }

    /// Seconds until the next attempt may be made; 0 if it may be made now.
    public var waitingTime: Double {
        change { $0.waitingTime(at: clock()) }
    }

    /// Tries a passphrase by `body`.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/tooManyAttempts`` and the waiting
    ///   time, without trying; else what `body` throws. Only its error
    ///   ``EncryptionError/Code/wrongPassphrase`` counts as an attempt.
    public func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        let now = clock()
        let before: UnlockDelay = try change { delay in
            let waiting = delay.waitingTime(at: now)
            if waiting > 0 {
                let seconds = Int(waiting.rounded(.up))
                throw EncryptionError(
                    .tooManyAttempts,
                    "The passphrase was wrong \(delay.failures) times.",
                    recovery: "Try again in \(seconds) second\(seconds == 1 ? "" : "s").",
                    waitingTime: waiting
                )
            }
            let before = delay
            delay.fail(at: now)
            return before
        }
        do {
            let result = try body()
            change { $0 = UnlockDelay() }
            return result
        } catch let error as EncryptionError where error.code == .wrongPassphrase {
            throw error
        } catch {
            change { $0 = before }
            throw error
        }
    }

    /// Changes the state, in the file under a lock, or in memory.
    private func change<Result>(
        _ body: (inout UnlockDelay) throws -> Result
    ) rethrows -> Result {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0, flock(file, LOCK_EX) == 0 else {
            if file >= 0 { close(file) }
            return try memory.withLock { try body(&$0) }
        }
        defer { close(file) }
        let read = contents(of: file)
        var delay = read ?? .afterDamage(at: clock())
        defer {
            if delay != read, !write(delay.text, to: file) {
                memory.withLock { $0 = delay }
            }
        }
        return try body(&delay)
    }

    /// The state in a file; the initial one of an empty file, `nil` of a damaged one.
    private func contents(of file: Int32) -> UnlockDelay? {
        var buffer = [UInt8](repeating: 0, count: 256)
        var count = 0
        repeat { count = pread(file, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        if count == 0 { return UnlockDelay() }
        guard count > 0, count < buffer.count else { return nil }
        return UnlockDelay(text: String(decoding: buffer[..<count], as: UTF8.self))
    }

    /// The length of the file: each state replaces the former one by a single write that needs no
    /// room, so that a full disk or a crash leaves one of the two.
    private static let length = 200

    private func write(_ text: String, to file: Int32) -> Bool {
        var bytes = Array(text.utf8.dropLast())
        let room = UnlockGuard.length - bytes.count - 1
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: max(0, room)) + [UInt8(ascii: "\n")]
        var status = stat()
        var count = 0
        repeat { count = pwrite(file, bytes, bytes.count, 0) } while count < 0 && errno == EINTR
        guard count == bytes.count, fstat(file, &status) == 0,
            status.st_size == bytes.count || ftruncate(file, bytes.count) == 0
        else { return false }
        return fsync(file) == 0
    }

    /// The time of this machine.
    public static let systemClock: @Sendable () -> UnlockDelay.Now = {
        var wall = timespec()
        var sinceStart = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_BOOTTIME, &sinceStart)
        let name = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))
        let start = String(decoding: name ?? Data(), as: UTF8.self).filter { !$0.isWhitespace }
        return UnlockDelay.Now(
            wall: seconds(wall),
            sinceStart: seconds(sinceStart),
            start: start.isEmpty ? "unknown" : start
        )
    }

    private static func seconds(_ time: timespec) -> Double {
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
