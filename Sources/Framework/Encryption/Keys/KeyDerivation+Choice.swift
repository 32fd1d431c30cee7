import CSodium
import FoundationEssentials
import Glibc

extension KeyDerivation {
    /// How long unlocking may take, and how much memory it may use.
    public enum Cost: Sendable {
        /// Up to a second and at least 256 MiB, or what the machine allows.
        case interactive
        /// The least that the function accepts, for tests only.
        case leastForTests
    }

    /// Parameters for this machine, with a new salt.
    ///
    /// The memory is 256 MiB, or a quarter of what is available if that is less. One pass over a
    /// part of it is timed, and as many passes are chosen as take 0.6 seconds; a machine that cannot
    /// do one pass in this time gets less memory.
    ///
    /// - Complexity: about 50 ms for the measurement.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    public static func chosen(for cost: Cost = .interactive) throws -> KeyDerivation {
        let salt = try Sodium.randomBytes(saltSize)
        if cost == .leastForTests {
            return try KeyDerivation(operations: 1, memory: smallestMemory, salt: salt)
        }
        let wanted = min(256 << 10, max(16 << 10, availableMemory() / 4))
        let sample = try KeyDerivation(
            operations: 1,
            memory: UInt32(min(wanted, 32 << 10)),
            salt: salt
        )
        let clock = ContinuousClock()
        let passphrase = try SecretBytes("measure")
        let time = try clock.measure { _ = try sample.key(for: passphrase) }
        let (operations, memory) = parameters(
            wanted: wanted,
            kibibytesPerSecond: Double(sample.memory) / max(time / .seconds(1), 0.000_1)
        )
        return try KeyDerivation(operations: operations, memory: memory, salt: salt)
    }

    /// The passes and the kibibytes that take 0.6 seconds at a speed.
    static func parameters(
        wanted: Int,
        kibibytesPerSecond speed: Double
    ) -> (operations: UInt32, memory: UInt32) {
        let budget = speed * 0.6
        if budget < Double(wanted) {
            return (1, UInt32(max(Double(16 << 10), min(Double(wanted), budget))))
        }
        let passes = min(budget / Double(wanted), Double(largestWork) / Double(wanted), 32)
        return (UInt32(passes), UInt32(wanted))
    }

    /// Kibibytes that the system, the control group and the limits of the process leave.
    static func availableMemory() -> Int {
        var result = 1 << 20
        if let text = contents(of: "/proc/meminfo"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }),
            let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        {
            result = number
        }
        if let text = contents(of: "/sys/fs/cgroup/memory.max"),
            let bytes = Int(text.filter(\.isNumber))
        {
            let used = contents(of: "/sys/fs/cgroup/memory.current").flatMap { text in
                Int(text.filter(\.isNumber))
            }
            result = min(result, max(0, bytes - (used ?? 0)) / 1024)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur < UInt(Int.max)
        {
            result = min(result, Int(limit.rlim_cur) / 1024)
        }
        return result
    }

    private static func contents(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
