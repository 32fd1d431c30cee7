import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc

/// `docket sync`: exchanges the items with servers.
struct SyncCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Synchronize with a server of calendars.",
        discussion: """
            The servers are in the settings, as [sync.NAME]; docket help sync has an example. Without a \
            name all of them are asked. Exit code 7: a server cannot be reached, or is silent; nothing \
            is lost. If the password of one is in the vault, the passphrase is asked for on the \
            terminal.
            """
    )

    @Argument(help: "A server of the settings; all of them without a name.")
    var name: String?

    @Flag(help: "List everything, whatever the server says has changed.")
    var verify = false

    @Flag(help: "Delete here what the server no longer has, even if that is most of it.")
    var acceptDeletions = false

    @OptionGroup var access: VaultAccess

    func perform() throws {
        let file = try access.store.file()
        guard file.isFileURL else {
            throw InputError(
                .malformed,
                "A library in a database is not synchronized; name the file of a store."
            )
        }
        let settings = Settings(environment: ProcessInfo.environment)
        let servers = settings.syncs.filter { name == nil || $0.name == name }
        if servers.isEmpty {
            let known = settings.syncs.map(\.name).listed("and")
            throw InputError(
                .malformed,
                known.isEmpty
                    ? "No server is set; add [sync.NAME] to the settings: docket help sync."
                    : "No server is named \"\(name ?? "")\"; the servers are \(known)."
            )
        }
        // The store is made, and brought to the form of this version, here.
        try access.store.open(.writing).close()
        guard let program = SyncLauncher.path else {
            throw InputError(
                .malformed,
                "docket-sync is not installed beside docket or in libexec/docket."
            )
        }
        if let server = servers.first(where: \.url.isEmpty) {
            throw InputError(.malformed, "[sync.\(server.name)] has no url.")
        }
        let state = Interface.stateFolder(ProcessInfo.environment)
        let passwords = try passwords(of: servers)
        BackgroundSync.keepFromTerminal()
        var code: Int32 = 0
        for server in servers {
            let note = state.map {
                SyncNote.path(ofServer: server.name, store: file.path, in: $0)
            }
            if isInVault(server), passwords[server.name] == nil {
                let problem =
                    "The password of \(server.name) is in the vault, and there is no terminal to ask for"
                    + " the passphrase: run docket sync \(server.name) in a terminal, or set"
                    + " password-command."
                Console.fail(problem)
                if let note { SyncNote(.failed, Date(), problem: problem).write(to: note) }
                code = max(code, Exit.locked)
                continue
            }
            var words = [server.name, "--store", file.path, "--url", server.url]
            words += ["--user", server.user]
            if let client = server.clientID { words += ["--client-id", client] }
            if let command = server.passwordCommand { words += ["--password-command", command] }
            if let file = server.certificates {
                words += ["--certificates", UserPath.expanded(file)]
            }
            if let note { words += ["--note", note] }
            if verify { words.append("--verify") }
            if acceptDeletions { words.append("--accept-deletions") }
            code = max(code, try SyncLauncher.run(program, words, passwords[server.name]))
        }
        if code != 0 { throw ExitCode(code) }
    }

    private func isInVault(_ server: SyncSetting) -> Bool {
        server.passwordVault != nil && server.passwordCommand == nil
    }

    /// The passwords that are in the vault, by server; none without a way to its passphrase.
    private func passwords(of servers: [SyncSetting]) throws -> [String: String] {
        let kept = servers.filter(isInVault)
        if kept.isEmpty || access.passphraseFile == nil && !TypedSecret.canAsk { return [:] }
        var result: [String: String] = [:]
        try access.withVault(.writing) { vault in
            for server in kept {
                let entry = try vault.entry(named: server.passwordVault ?? "")
                let password = try vault.record(entry.id).password
                if password.isEmpty {
                    throw InputError(
                        .badReference,
                        "The credential that password-vault of [sync.\(server.name)] names has no"
                            + " password."
                    )
                }
                result[server.name] = password
            }
        }
        return result
    }
}

/// `docket-sync`, which speaks to servers.
enum SyncLauncher {
    /// Its place: in the same folder, or where packages put it.
    static var path: String? {
        guard
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return nil }
        let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return ["\(folder)/docket-sync", "\(folder)/../libexec/docket/docket-sync"]
            .first { access($0, X_OK) == 0 }
    }

    /// Runs it on the streams of this program.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - words: its arguments.
    ///   - password: what it reads from a pipe, if the password is known here.
    /// - Returns: its exit code.
    /// - Throws: `InputError` if it cannot be started.
    static func run(
        _ program: String,
        _ words: [String],
        _ password: String?
    ) throws -> Int32 {
        var words = words
        var ends: [Int32] = [-1, -1]
        if let password {
            // A line that is not too long fits into a pipe that nobody reads yet.
            let line = Array("\(password)\n".utf8.prefix(4096))
            guard pipe(&ends) == 0 else {
                throw InputError(.malformed, "\(program) cannot be started.")
            }
            _ = write(ends[1], line, line.count)
            close(ends[1])
            words += ["--password-descriptor", "\(ends[0])"]
        }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, nil, nil, &arguments, environ) == 0 else {
            throw InputError(.malformed, "\(program) cannot be started.")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return 1 } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 1
    }
}
