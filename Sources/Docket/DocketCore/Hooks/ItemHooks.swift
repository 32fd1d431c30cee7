import DocketFormats
import FoundationEssentials
import Glibc

/// The owner's programs that see items before they are saved, and may change or refuse them.
///
/// They are the executable files of a folder whose names begin with the name of an event, in the
/// order of their names; each gets what the one before it has answered. They speak the protocol of
/// Taskwarrior's hooks (taskwarrior.org/docs/hooks, version 2): items as lines of Taskwarrior's JSON
/// in, the same and words for the user out; any exit status but 0 refuses.
///
/// Cost: a failed system call for each save where there is no such folder.
public struct ItemHooks: Sendable {
    /// What a program is called for; the value begins the names of its files.
    public enum Event: String, CaseIterable, Sendable {
        /// A new item: it is the only line.
        case add = "on-add"
        /// A changed item: a line as it is stored, and one as it is to become.
        case modify = "on-modify"
        /// A task that is completed, behind ``modify`` and with the same lines.
        case done = "on-done"
        /// The items of a file that is imported, a line each, before the first is saved.
        case `import` = "on-import"
        /// The end of the program: the items that it has saved, a line each.
        case exit = "on-exit"
    }

    /// The end of a program.
    public struct Ending: Sendable {
        /// The exit status; 128 and the number of a signal that ended it.
        public var status: Int32
        public var output: [UInt8]

        public init(status: Int32, output: [UInt8]) {
            self.status = status
            self.output = output
        }
    }

    /// How long a program may take.
    public static let limit = Duration.seconds(10)
    /// How many lines of words are shown, and how many characters of each.
    private static let (mostLines, longestLine) = (20, 500)

    private let folder: String
    private let arguments: [String]
    private let run: @Sendable (String, [String], [UInt8]) throws -> Ending?

    /// - Parameters:
    ///   - folder: where the programs are; it need not exist.
    ///   - arguments: those of each program, behind the version of the protocol.
    ///   - run: runs a program, by its path, with arguments and input; `nil` if it was ended because
    ///     it took longer than ``limit``.
    public init(
        folder: String,
        arguments: [String],
        run: @escaping @Sendable (String, [String], [UInt8]) throws -> Ending?
    ) {
        self.folder = folder
        self.arguments = ["api:2"] + arguments
        self.run = run
    }

    /// The programs of each event.
    ///
    /// - Throws: `InputError` if others than the owner could have put one there.
    func programs() throws -> [Event: [String]] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return [:]
        }
        var result: [Event: [String]] = [:]
        for name in names.sorted() {
            let path = "\(folder)/\(name)"
            guard let event = Event.allCases.first(where: { name.hasPrefix($0.rawValue) }),
                !name.hasSuffix("~"), access(path, X_OK) == 0, try isOwned(path, isFolder: false)
            else { continue }
            if result.isEmpty { _ = try isOwned(folder, isFolder: true) }
            result[event, default: []].append(path)
        }
        return result
    }

    /// Whether it is a file, or a folder, which the owner alone can write.
    private func isOwned(_ path: String, isFolder: Bool) throws -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, (status.st_mode & S_IFMT == S_IFDIR) == isFolder else {
            return false
        }
        let isOthers = status.st_uid != geteuid() && status.st_uid != 0
        guard isOthers || status.st_mode & 0o022 != 0 else { return true }
        throw InputError(
            .conflict,
            "Nothing is saved, because others can change the hook \(path): it must be yours, and "
                + "writable by you alone (chmod go-w)."
        )
    }

    /// Runs the programs of an event, one after the other.
    ///
    /// - Parameters:
    ///   - programs: their paths.
    ///   - before: lines that are the same for each, in front of the others.
    ///   - lines: a line for each item.
    ///   - tell: shows what a program has to say.
    /// - Returns: the lines as the last program wants them.
    /// - Throws: `InputError` with the words of one that refuses, takes too long, or answers with
    ///   another number of items.
    func run(
        _ programs: [String],
        before: [[UInt8]] = [],
        _ lines: [[UInt8]],
        tell: (String) -> Void
    ) throws -> [[UInt8]] {
        var lines = lines
        for program in programs {
            let name = "\"\(program.split(separator: "/").last ?? "")\""
            let input = Array((before + lines).joined(separator: [10])) + [10]
            guard let ending = try run(program, arguments, input) else {
                throw InputError(
                    .conflict,
                    "The hook \(name) did not end within \(ItemHooks.limit.components.seconds) "
                        + "seconds; nothing is saved."
                )
            }
            var answers: [[UInt8]] = []
            var words: [String] = []
            for line in ending.output.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
                if line.first == UInt8(ascii: "{") {
                    answers.append(Array(line))
                } else {
                    words.append(String(decoding: line, as: UTF8.self))
                }
            }
            if ending.status != 0 {
                let reason =
                    words.isEmpty
                    ? "its exit status is \(ending.status)" : words.joined(separator: " ")
                throw InputError(.conflict, "The hook \(name) refuses: \(reason)")
            }
            for line in words.prefix(Self.mostLines) {
                tell(line.count > Self.longestLine ? line.prefix(Self.longestLine) + "…" : line)
            }
            if words.count > Self.mostLines {
                tell("… and \(words.count - Self.mostLines) more lines of the hook \(name).")
            }
            // One that answers nothing has only looked.
            if answers.isEmpty { continue }
            guard answers.count == lines.count else {
                throw InputError(
                    .conflict,
                    "The hook \(name) answered with \(answers.count) items instead of \(lines.count);"
                        + " nothing is saved."
                )
            }
            lines = answers
        }
        return lines
    }
}
