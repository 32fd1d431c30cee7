import ChildProcess
import Foundation
import Testing

/// A library that the program is started with, so that one of its system calls, or of SQLite's
/// requests for memory, fails: `Tests/Support/FaultyCalls`.
enum FaultyCalls {
    /// What happens to the chosen call.
    enum Mode: String, CaseIterable, CustomTestStringConvertible {
        /// It fails with an input or output error.
        case error
        /// The disk is full from this call on.
        case full
        /// The lock is refused.
        case busy
        /// All locks are refused from this one on, and no time passes meanwhile.
        case held
        /// Half of the bytes are written.
        case short
        /// A signal interrupts it.
        case signalled
        /// The process is killed instead.
        case kill
        /// SQLite gets no memory for this request.
        case memory
        /// SQLite gets no memory from this request on.
        case noMemory = "no-memory"

        var testDescription: String { rawValue }
    }

    /// The compiled library; `nil` if there is no compiler.
    static let library: String? = try? compiled()

    /// The kinds of faults, if `DOCKET_FAULT_KINDS` names some.
    static let chosenModes: [Mode]? = ProcessInfo.processInfo.environment["DOCKET_FAULT_KINDS"]
        .map { $0.split(separator: ",").compactMap { Mode(rawValue: String($0)) } }

    private struct NotCompiled: Error {}

    private static func compiled() throws -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Support/FaultyCalls/FaultyCalls.c").standardizedFileURL
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "faulty-calls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = folder.appending(path: "libFaultyCalls.so")
        let process = try ChildProcess(
            "/usr/bin/env",
            ["cc", "-shared", "-fPIC", "-O1", "-o", made.path, source.path],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
            output: folder.appending(path: "out").path,
            errors: folder.appending(path: "err").path
        )
        guard process.wait() == .code(0) else { throw NotCompiled() }
        return made.path
    }
}

extension Docket {
    /// Runs a program of which one system call fails; after five minutes it is killed.
    func run(
        _ arguments: [String],
        program: String = Docket.program,
        failing number: Int,
        _ mode: FaultyCalls.Mode,
        _ report: FaultReport
    ) throws -> Outcome {
        report.clear()
        return try run(
            program,
            arguments,
            under: [
                "FAULTY_FOLDER": data.path, "FAULTY_MODE": mode.rawValue,
                "FAULTY_NUMBER": "\(number)", "FAULTY_REPORT": report.path,
            ]
        )
    }

    /// Runs the program while its clock is wrong by some seconds.
    func run(_ arguments: [String], clock seconds: Int, _ report: FaultReport) throws -> Outcome {
        report.clock = seconds
        return try run(Docket.program, arguments, under: ["FAULTY_REPORT": report.path])
    }

    private func run(
        _ program: String,
        _ arguments: [String],
        under faults: [String: String]
    ) throws -> Outcome {
        let own = environment
        defer { environment = own }
        environment["LD_PRELOAD"] = FaultyCalls.library ?? ""
        environment.merge(faults) { $1 }
        let process = try start(
            "/usr/bin/timeout",
            ["-s", "KILL", "300", program] + arguments,
            "faulty"
        )
        return try outcome(of: process, "faulty")
    }
}

/// What a program under ``FaultyCalls`` reports: how many calls there were, and which one failed.
///
/// It also has the time by which the program's clock is wrong.
final class FaultReport {
    private let file: Int32
    private let map: UnsafeMutableRawPointer
    private static let size = 4096
    let path: String

    init(_ path: String) throws {
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        try #require(ftruncate(file, FaultReport.size) == 0)
        let made = mmap(nil, FaultReport.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        map = try #require(made == MAP_FAILED ? nil : made)
    }

    deinit {
        munmap(map, FaultReport.size)
        close(file)
    }

    func clear() { memset(map, 0, FaultReport.size) }

    /// Calls of the kind that the mode counts.
    var count: Int { map.load(as: Int.self) }
    var failed: Int { map.load(fromByteOffset: 8, as: Int.self) }
    /// The name of the call that failed.
    var name: String { String(cString: (map + 24).assumingMemoryBound(to: CChar.self)) }

    /// Seconds by which the clock of the program is ahead.
    var clock: Int {
        get { map.load(fromByteOffset: 16, as: Int.self) }
        set { map.storeBytes(of: newValue, toByteOffset: 16, as: Int.self) }
    }
}
