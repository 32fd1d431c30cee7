import FoundationEssentials

/// A process, distinguished from later ones with the same number.
public struct RunningProcess: Equatable, Sendable {
    /// The number that the system gave it.
    public let number: Int64
    /// When it began, in the system's ticks; 0 if that is unknown.
    public let start: Int64

    /// This process.
    public static let own = RunningProcess(of: Int64(ProcessInfo.processInfo.processIdentifier))

    /// A process as it was recorded.
    public init(number: Int64, start: Int64) {
        self.number = number
        self.start = start
    }

    private init(of number: Int64) {
        self.init(number: number, start: RunningProcess.start(of: number))
    }

    /// Whether it has not ended.
    ///
    /// A killed process has ended, although the system lists it until its parent reads its result.
    ///
    /// Cost: reads a small file of the system.
    public var isRunning: Bool { start != 0 && RunningProcess.start(of: number) == start }

    private static func start(of number: Int64) -> Int64 {
        let file = URL(filePath: "/proc/\(number)/stat")
        guard let data = try? Data(contentsOf: file) else { return 0 }
        let text = String(decoding: data, as: UTF8.self)
        // The name in parentheses may hold blanks; the start is the 20th field after it.
        guard let end = text.lastIndex(of: ")") else { return 0 }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return 0 }
        return Int64(fields[20]) ?? 0
    }
}
