import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import DocketSync
import Encryption
import FoundationEssentials
import Glibc
import ObjectGraph
import ObjectSync
import TaskChampion

/// `docket-sync`, which exchanges a store with a server; `docket sync` runs it.
///
/// It is a program of its own because it loads libcurl; windows of the interface follow its saves as
/// those of any other program.
@main
struct SyncProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docket-sync",
        abstract: "Synchronize a store with a server; docket sync runs it."
    )

    @Argument(help: "The name of the server in the settings.")
    var name: String

    @Option(help: "The store's file.")
    var store: String

    @Option(help: "The server's address.")
    var url: String

    @Option(help: "The user's name there.")
    var user = ""

    @Option(help: "The client ID, if it is a server of Taskwarrior 3.")
    var clientID: String?

    @Option(help: "A command that prints the password, or the encryption secret.")
    var passwordCommand: String?

    @Option(help: "An open descriptor from which the password is read.")
    var passwordDescriptor: Int32?

    @Option(help: "A file of certificates that are trusted.")
    var certificates: String?

    @Flag(help: "List everything, whatever the server says has changed.")
    var verify = false

    @Flag(help: "Delete here what the server no longer has, even if that is most of it.")
    var acceptDeletions = false

    @Option(help: "How many seconds the server may be silent; ten times as many for a whole list.")
    var patience = 180

    @Option(help: "The file that notes how it ended, for windows.")
    var note: String?

    /// How many problems are told.
    private static let mostProblems = 10

    func run() throws {
        do {
            try synchronize()
        } catch let error as SyncError {
            SyncProgram.fail("\(error)")
            let end: SyncNote.End = error.code == .offline ? .offline : .failed
            noteEnd(SyncNote(end, Date(), problem: "\(error)"))
            throw ExitCode(error.code == .offline ? 7 : 1)
        } catch let error as ExitCode {
            throw error
        } catch {
            SyncProgram.fail("\(error)")
            noteEnd(SyncNote(.failed, Date(), problem: "\(error)"))
            throw ExitCode(1)
        }
    }

    private func noteEnd(_ end: SyncNote) { if let note { end.write(to: note) } }

    private func noteEnd(_ report: SyncReport, _ problems: [String]) {
        let end: SyncNote.End = report.isUnfinished || !problems.isEmpty ? .failed : .done
        var note = SyncNote(end, Date(), problem: problems.first ?? "")
        (note.sent, note.conflicts) = (report.sent, report.conflicts)
        (note.inserted, note.updated, note.deleted) =
            (report.inserted, report.updated, report.deleted)
        noteEnd(note)
    }

    private func synchronize() throws {
        let isPlain = url.lowercased().hasPrefix("http://")
        let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        let isHere = ["localhost", "127.0.0.1", "[::1]"].contains { host.hasPrefix($0) }
        if isPlain, !isHere, !user.isEmpty {
            throw SyncError(
                .configuration,
                "\(url) is not encrypted; the password is not sent there. Use https://."
            )
        }
        let secret = user.isEmpty && clientID == nil ? "" : try password()
        let zone = ZoneRules.local(environment: ProcessInfo.processInfo.environment)
        let library = try Library(url: URL(filePath: store), author: "sync") {
            DateContext(now: Date(), zone: zone)
        }
        defer { library.close() }
        let transport = try CurlTransport(
            user: user,
            password: clientID == nil ? secret : "",
            authority: certificates,
            patience: patience
        )
        let (report, unsent) =
            if let clientID {
                try exchangeTasks(library, transport, clientID, secret)
            } else {
                try exchangeCalendars(library, transport)
            }
        let refused = report.refused.sorted { $0.key.name < $1.key.name }.map { _, reason in
            "Something of \(name) cannot be here and is left out; the next run tries again. \(reason)"
        }
        let problems = unsent + refused
        noteEnd(report, problems)
        for problem in problems.prefix(SyncProgram.mostProblems) { SyncProgram.fail(problem) }
        if problems.count > SyncProgram.mostProblems {
            SyncProgram.fail("\(problems.count - SyncProgram.mostProblems) more items stay here.")
        }
        print("\(name): \(LibrarySync.words(report)).")
        if report.isUnfinished || !problems.isEmpty { throw ExitCode(1) }
    }

    private func exchangeCalendars(
        _ library: Library,
        _ transport: CurlTransport
    ) throws -> (SyncReport, [String]) {
        let remote = try CalDAVRemote(
            name: name,
            url: url,
            transport: transport,
            settings: ExchangeSettings(dates: library.clock())
        )
        (remote.verifies, remote.acceptsDeletions) = (verify, acceptDeletions)
        return (try LibrarySync.run(library, with: remote), remote.problems)
    }

    private func exchangeTasks(
        _ library: Library,
        _ transport: CurlTransport,
        _ clientID: String,
        _ secret: String
    ) throws -> (SyncReport, [String]) {
        guard let client = UUIDText.parse(clientID) else {
            throw SyncError(
                .configuration,
                "The client-id of [sync.\(name)] is no UUID: \(clientID)."
            )
        }
        let remote = TaskChampionRemote(
            name: name,
            server: try TaskChampionServer(
                url: url,
                clientID: client,
                secret: SecretBytes(secret),
                over: transport
            ),
            settings: ExchangeSettings(dates: library.clock()),
            file: verify ? nil : cache()
        )
        remote.acceptsDeletions = acceptDeletions
        return (try LibrarySync.run(library, with: remote), [])
    }

    /// The file for the tasks of the server, in the user's cache; `nil` if there is no place.
    private func cache() -> String? {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" }
        let given = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = given ?? home else { return nil }
        let own = "\(folder)/docket"
        try? FileManager.default.createDirectory(
            at: URL(filePath: own),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let key = ByteSource.fingerprint(Array("\(store)\n\(name)\n\(url)".utf8))
        return "\(own)/tasks-\(String(key, radix: 16)).json"
    }

    /// The password: from the descriptor, else from the command, else from the keyring.
    private func password() throws -> String {
        if let passwordDescriptor, let file = fdopen(passwordDescriptor, "r") {
            defer { fclose(file) }
            return SyncProgram.line(of: file)
        }
        let command =
            passwordCommand
            ?? "exec secret-tool lookup application docket sync \"$DOCKET_SYNC\" 2>/dev/null"
        setenv("DOCKET_SYNC", name, 1)
        guard let pipe = popen(command, "r") else {
            throw SyncError(.configuration, "The command for the password cannot be started.")
        }
        let line = SyncProgram.line(of: pipe)
        let status = pclose(pipe)
        if status == 0, !line.isEmpty { return line }
        if passwordCommand == nil, status >> 8 == 127 {
            throw SyncError(
                .configuration,
                "The keyring cannot be asked: secret-tool is not installed (libsecret-tools). Install"
                    + " it, or set password-command in [sync.\(name)]."
            )
        }
        throw SyncError(
            .configuration,
            passwordCommand == nil
                ? "The keyring has no password for \(name): store it with secret-tool store --label"
                    + " Docket application docket sync \(name), or set password-command in"
                    + " [sync.\(name)]."
                : "The password-command of [sync.\(name)] has printed no password"
                    + (status == 0 ? "." : " and ended with an error.")
        )
    }

    /// The first line of what can be read.
    private static func line(of file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        while bytes.count < 4096, case let byte = getc(file), byte != EOF {
            bytes.append(UInt8(byte))
        }
        return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }

    private static func fail(_ message: String) {
        let bytes = Array("docket sync: \(message)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
