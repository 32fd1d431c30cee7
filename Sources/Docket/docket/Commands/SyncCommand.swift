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
            name all of them are asked. Exit code 7: a server cannot be reached; nothing is lost.
            """
    )

    @Argument(help: "A server of the settings; all of them without a name.")
    var name: String?

    @Flag(help: "List everything, whatever the server says has changed.")
    var verify = false

    @Flag(help: "Delete here what the server no longer has, even if that is most of it.")
    var acceptDeletions = false

    @OptionGroup var store: StoreLocation

    func perform() throws {
        let file = try store.file()
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
        try store.open(.writing).close()
        guard let program = SyncLauncher.path else {
            throw InputError(
                .malformed,
                "docket-sync is not installed beside docket or in libexec/docket."
            )
        }
        let state = Interface.stateFolder(ProcessInfo.environment)
        BackgroundSync.keepFromTerminal()
        var code: Int32 = 0
        for server in servers {
            if server.url.isEmpty {
                throw InputError(.malformed, "[sync.\(server.name)] has no url.")
            }
            var words = [server.name, "--store", file.path, "--url", server.url]
            words += ["--user", server.user]
            if let client = server.clientID { words += ["--client-id", client] }
            if let command = server.passwordCommand { words += ["--password-command", command] }
            if let file = server.certificates {
                words += ["--certificates", UserPath.expanded(file)]
            }
            if let state {
                let path = SyncNote.path(ofServer: server.name, store: file.path, in: state)
                words += ["--note", path]
            }
            if verify { words.append("--verify") }
            if acceptDeletions { words.append("--accept-deletions") }
            code = max(code, try SyncLauncher.run(program, words))
        }
        if code != 0 { throw ExitCode(code) }
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
    /// - Returns: its exit code.
    /// - Throws: `InputError` if it cannot be started.
    static func run(_ program: String, _ words: [String]) throws -> Int32 {
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
