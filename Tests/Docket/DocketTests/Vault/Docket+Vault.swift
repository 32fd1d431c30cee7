import DocketCore
import Foundation
import LibraryVerbs
import Testing
import VirtualTerminal

extension Docket {
    static let passphrase = "four words are good"

    /// Creates a vault that opens quickly with a passphrase, which is in the file `pw` afterwards.
    func makeVault(_ passphrase: String = Docket.passphrase) throws {
        try write(passphrase + "\n", to: "pw")
        let vault = Vault.path(beside: environment["DOCKET_STORE"] ?? store)
        try OneVault.file(passphrase: passphrase).write(to: URL(filePath: vault))
        #expect(chmod(vault, 0o600) == 0)
    }

    /// Runs a subcommand of the vault with the right passphrase.
    @discardableResult
    func vault(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(["vault"] + arguments + ["--passphrase-file", path("pw")], input: Data(input.utf8))
    }

    func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
        let name = "run-\(UUID().uuidString)"
        return try outcome(of: start(Docket.program, arguments, input: input, name), name)
    }

    /// Starts the program on a terminal.
    func terminal(
        _ arguments: String...,
        rows: Int = 24,
        columns: Int = 110
    ) throws
        -> VirtualTerminal
    {
        try VirtualTerminal(
            Docket.program,
            arguments: arguments,
            environment: environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: rows,
            columns: columns
        )
    }

    /// The files below the folder, at any depth, that contain one of some texts.
    func files(withAny texts: [String]) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
            guard let data = FileManager.default.contents(atPath: path(name)) else { return false }
            return texts.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }
}
