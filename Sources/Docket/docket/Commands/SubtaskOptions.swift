import ArgumentParser
import DocketCore
import DocketFormats
import Glibc
import ObjectGraph

/// What becomes of the open subtasks of tasks that are completed or put into the trash.
struct SubtaskOptions: ParsableArguments {
    static let discussion = """
        Open subtasks of a task are left as they are, unless --with-subtasks is given. On a \
        terminal, docket asks. They keep their parent, and all of it is one step of undo.
        """

    @Flag(help: "Do it to the subtasks too.") var withSubtasks = false
    @Flag(help: "Leave open subtasks as they are; do not ask.") var leaveSubtasks = false

    func validate() throws {
        if withSubtasks, leaveSubtasks {
            throw ValidationError("--with-subtasks and --leave-subtasks exclude each other.")
        }
    }

    /// What is changed with the items that were named, and how the message goes on.
    struct Choice {
        var items: [Item] = []
        var rest = ""
    }

    /// Chooses by the flags, else by asking if somebody is there to answer.
    ///
    /// `included` are the subtasks that `verb` is done to if they are wanted.
    func chosen(
        _ verb: String,
        _ items: [Item],
        _ library: Library,
        included: (Targets) throws -> Targets
    ) throws -> Choice {
        let open = try library.openSubtasks(of: .items(items))
        func all() throws -> Choice {
            Choice(items: try library.items(of: included(.items(items))))
        }
        if withSubtasks { return try all() }
        guard !open.isEmpty else { return Choice() }
        let isOne = open.count == 1
        let count = "\(open.count) open subtask\(isOne ? "" : "s")"
        let left = Choice(rest: "; \(count) \(isOne ? "stays as it is" : "stay as they are")")
        if leaveSubtasks || !Console.isTerminal || isatty(STDIN_FILENO) == 0 { return left }
        switch try ask(verb, count, isOne ? "it" : "them") {
        case "s": return try all()
        case "l": return left
        default: throw InputError(.badReference, "Nothing was changed.")
        }
    }

    private func ask(_ verb: String, _ count: String, _ them: String) throws -> Character? {
        let verb = verb.prefix(1).uppercased() + verb.dropFirst()
        let text =
            "\(count). \(verb) \(them) too (s), leave \(them) (l), or change nothing (Enter)? "
        try Array(text.utf8).withUnsafeBytes { try Console.write($0, to: STDERR_FILENO) }
        return readLine()?.lowercased().first
    }
}
