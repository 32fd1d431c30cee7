import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import DocketSync
import FoundationEssentials
import Glibc
import ObjectSync

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

    @Option(help: "A command that prints the password.")
    var passwordCommand: String?

    @Option(help: "A file of certificates that are trusted.")
    var certificates: String?

    @Flag(help: "List everything, whatever the server says has changed.")
    var verify = false

    @Flag(help: "Delete here what the server no longer has, even if that is most of it.")
    var acceptDeletions = false

    func run() throws {
        do {
            try synchronize()
        } catch let error as SyncError {
            SyncProgram.fail("\(error)")
            throw ExitCode(error.code == .offline ? 7 : 1)
        } catch let error as ExitCode {
            throw error
        } catch {
            SyncProgram.fail("\(error)")
            throw ExitCode(1)
        }
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
        let transport = try CurlTransport(
            user: user,
            password: user.isEmpty ? "" : try password(),
            authority: certificates
        )
        let zone = ZoneRules.local(environment: ProcessInfo.processInfo.environment)
        let library = try Library(url: URL(filePath: store), author: "sync") {
            DateContext(now: Date(), zone: zone)
        }
        defer { library.close() }
        let remote = try CalDAVRemote(
            name: name,
            url: url,
            transport: transport,
            settings: ExchangeSettings(dates: library.clock())
        )
        (remote.verifies, remote.acceptsDeletions) = (verify, acceptDeletions)
        let report = try LibrarySync.run(library, with: remote)
        for problem in remote.problems { SyncProgram.fail(problem) }
        print(sentence(report))
        if report.isUnfinished || !remote.problems.isEmpty { throw ExitCode(1) }
    }

    private func sentence(_ report: SyncReport) -> String {
        if report.isEmpty { return "\(name): nothing has changed." }
        func part(_ count: Int, _ what: String) -> String? { count == 0 ? nil : "\(count) \(what)" }
        let parts = [
            part(report.sent, "sent"), part(report.inserted, "new"),
            part(report.updated, "changed"), part(report.deleted, "deleted"),
            part(report.conflicts, "in conflict"),
        ]
        return "\(name): \(parts.compactMap(\.self).joined(separator: ", "))."
    }

    /// The password: from the command, else from the keyring.
    private func password() throws -> String {
        let command =
            passwordCommand ?? "exec secret-tool lookup application docket sync \"$DOCKET_SYNC\""
        setenv("DOCKET_SYNC", name, 1)
        guard let pipe = popen(command, "r") else {
            throw SyncError(.configuration, "The command for the password cannot be started.")
        }
        var bytes: [UInt8] = []
        while bytes.count < 4096, case let byte = getc(pipe), byte != EOF {
            bytes.append(UInt8(byte))
        }
        let status = pclose(pipe)
        let line = bytes.prefix { $0 != 10 && $0 != 13 }
        if status == 0, !line.isEmpty { return String(decoding: line, as: UTF8.self) }
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

    private static func fail(_ message: String) {
        let bytes = Array("docket sync: \(message)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
