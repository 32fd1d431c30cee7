import ArgumentParser
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import NcursesTerminal

struct VaultCopyCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Put a password on the clipboard without showing it, for 30 seconds.",
        discussion: """
            The terminal does it (OSC 52), also over ssh; not every terminal can, and none says \
            whether it has. What was copied is removed after 30 seconds by emptying the clipboard, \
            whatever is on it then: a program cannot read it to compare. --keep leaves it there.
            """
    )

    enum Field: String, ExpressibleByArgument, CaseIterable {
        case password, user
    }

    @OptionGroup var access: VaultAccess
    @Argument(help: "Its name, or words that only it has.") var name: [String]
    @Option(help: "password or user.") var field = Field.password
    @Flag(help: "Leave it on the clipboard.") var keep = false

    func perform() throws {
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw InputError(
                .malformed,
                "There is no terminal, which would put the text on the clipboard."
            )
        }
        defer { close(terminal) }
        try access.withVault(.reading) { vault in
            let entry = try vault.entry(named: name.joined(separator: " "))
            let record = try vault.record(entry.id)
            let (text, what) =
                field == .password
                ? (record.password, "the password") : (record.userID, "the user id")
            if text.isEmpty {
                let has = "\"\(Console.shown(record.name))\" has no "
                throw InputError(.badReference, "\(has)\(what.dropFirst(4)).")
            }
            guard let bytes = Terminal.clipboardBytes(text) else {
                throw InputError(.tooMuch, "The text is too long for the clipboard.")
            }
            try bytes.withUnsafeBytes { try Console.write($0, to: terminal) }
            let clears = !keep && ClearClipboardCommand.start(on: terminal)
            let end =
                keep
                ? ""
                : clears
                    ? "; the clipboard is emptied in \(ClearClipboardCommand.seconds) seconds"
                    : "; it stays there: the process that empties it could not be started"
            try Console.print(
                "Sent \(what) of \"\(Console.shown(record.name))\" to the clipboard\(end)"
            )
        }
    }
}

/// Waits, then empties the clipboard of a terminal: a process of its own, which knows no secret.
struct ClearClipboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-clipboard",
        abstract: "Empty the clipboard of the terminal on standard output after 30 seconds.",
        shouldDisplay: false
    )

    static let seconds = 30

    func run() throws {
        var rest = UInt32(ClearClipboardCommand.seconds)
        while rest > 0 { rest = sleep(rest) }
        guard let bytes = Terminal.clipboardBytes("") else { return }
        // The terminal may be closed by now.
        _ = bytes.withUnsafeBytes { try? Console.write($0, to: STDOUT_FILENO) }
    }

    /// Starts the process, in a session of its own, so that it outlives the shell's command.
    static func start(on terminal: Int32) -> Bool {
        DetachedProcess.start(["vault", "clear-clipboard"], output: terminal) != nil
    }
}
