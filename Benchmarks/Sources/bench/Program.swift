import CReference
import Foundation

/// A program that is measured from outside: the product, or one that it is compared with.
struct Program {
    let path: String
    let environment: [String]
    /// What every call begins with.
    var options: [String] = []

    /// - Returns: `nil` where there is no such program.
    static func installed(_ name: String, environment: [String], options: [String]) -> Program? {
        for folder in ["/usr/local/bin", "/usr/bin", "/bin"] {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 {
                return Program(path: path, environment: environment, options: options)
            }
        }
        return nil
    }

    /// Runs it to its end; how long that took, and the most memory it held, in MB.
    func run(_ arguments: [String], input: String? = nil) -> (seconds: Double, peak: Double) {
        var peak = 0
        let time = withCStrings([path] + options + arguments) { argv in
            withCStrings(environment) { envp in
                seconds {
                    let code = reference_run(path, argv, envp, input, &peak)
                    guard code == 0 else {
                        fatalError("\(path) \(arguments.joined(separator: " ")) ended with \(code)")
                    }
                }
            }
        }
        return (time, Double(peak) / 1024)
    }

    func time(_ arguments: String...) -> Double { run(arguments).seconds }
}

/// A program that runs on a terminal, until it is closed.
final class Screen {
    private let pty: OpaquePointer
    /// When it was started.
    let start: Double

    init(
        _ program: Program,
        _ arguments: [String] = [],
        rows: Int32 = 60,
        columns: Int32 = 200
    ) {
        start = reference_now()
        let pty = withCStrings([program.path] + program.options + arguments) { argv in
            withCStrings(program.environment) { envp in
                reference_pty_open(program.path, argv, envp, rows, columns)
            }
        }
        guard let pty else { fatalError("there is no pseudo terminal for \(program.path)") }
        self.pty = pty
    }

    deinit { reference_pty_close(pty) }

    /// When the next frame was complete; `nil` if there was none.
    func frame(within milliseconds: Int32 = 5000) -> Double? {
        var time = 0.0
        return reference_pty_frame(pty, milliseconds, &time) == 0 ? time : nil
    }

    /// Waits until nothing comes any more; when the last byte came.
    @discardableResult
    func settle(quiet: Int32, within milliseconds: Int32 = 5000) -> Double? {
        var time = 0.0
        return reference_pty_settle(pty, milliseconds, quiet, &time) > 0 ? time : nil
    }

    func send(_ text: String) { reference_pty_send(pty, text, Int32(text.utf8.count)) }

    /// Seconds from a key to the end of the frame that shows it; two seconds if none comes.
    func key(_ key: String) -> Double {
        settle(quiet: 15, within: 15)
        let start = reference_now()
        send(key)
        guard let end = frame(within: 2000) else { return 2 }
        return end - start
    }

    /// Seconds from a key to the first byte of what it draws; two seconds if there is none.
    func firstByte(of key: String) -> Double {
        settle(quiet: 300, within: 300)
        let start = reference_now()
        send(key)
        guard let first = settle(quiet: 0, within: 2000) else { return 2 }
        return first - start
    }

    /// Reads what is drawn for some time; whether the program still runs then.
    func lives(milliseconds: Int32) -> Bool { reference_pty_lives(pty, milliseconds) != 0 }

    // MARK: The process

    private func status(_ path: String, _ name: String) -> Int {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "0") ?? 0
        }
        return 0
    }

    private var process: String { "/proc/\(reference_pty_pid(pty))" }

    /// The memory that is resident now, and the most that was, in MB.
    var memory: (now: Double, peak: Double) {
        (
            Double(status("\(process)/status", "VmRSS")) / 1024,
            Double(status("\(process)/status", "VmHWM")) / 1024
        )
    }

    /// The processor's time that it has used, in milliseconds.
    var processor: Double {
        let text = (try? String(contentsOfFile: "\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { return 0 }
        return 1000 * (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// How often each of its threads gave up the processor to wait, since the start.
    private var waits: [String: Int] {
        let threads =
            (try? FileManager.default.contentsOfDirectory(atPath: "\(process)/task")) ?? []
        return Dictionary(
            uniqueKeysWithValues: threads.map {
                ($0, status("\(process)/task/\($0)/status", "voluntary_ctxt_switches"))
            }
        )
    }

    /// How often its threads are woken meanwhile; the end of one counts once.
    func wakeups(during seconds: UInt32) -> Int {
        let before = waits
        sleep(seconds)
        let after = waits
        let ended = before.keys.count { after[$0] == nil }
        return after.reduce(ended) { $0 + $1.value - before[$1.key, default: 0] }
    }
}

/// Calls with a null-terminated array of C strings.
func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { fatalError("an array with a null is not empty") }
        return body(base)
    }
}
