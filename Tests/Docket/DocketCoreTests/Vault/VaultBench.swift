import DocketFormats
import Encryption
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// A library with a vault in a folder of its own; the test has the process's keys for itself.
final class VaultBench {
    static let passphrase = "four words are good"

    let folder: LibraryFolder
    let library: Library
    var vault: Vault { library.vault }

    private init(unlocked: Bool) throws {
        folder = try LibraryFolder()
        library = try folder.open()
        if unlocked {
            try vault.create(passphrase: SecretBytes(VaultBench.passphrase), cost: .leastForTests)
        }
    }

    static func run(unlocked: Bool = true, _ body: (VaultBench) throws -> Void) throws {
        try OneVault.alone {
            let bench = try VaultBench(unlocked: unlocked)
            defer {
                bench.vault.close()
                bench.library.close()
            }
            try body(bench)
        }
    }

    func unlock(_ passphrase: String = VaultBench.passphrase) throws {
        try vault.unlock(passphrase: SecretBytes(passphrase))
    }

    @discardableResult
    func add(
        _ name: String,
        user: String = "",
        password: String = "",
        address: String = "",
        category: String = "",
        notes: String = ""
    ) throws -> VaultStep {
        var record = CredentialRecord()
        record.name = name
        record.userID = user
        record.password = password
        record.address = address
        record.category = category
        record.notes = notes
        return try vault.add(record)
    }

    /// The files of the folder that contain a text, after closing nothing.
    func files(with text: String) throws -> [String] {
        let needle = Data(text.utf8)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        return names.filter { name in
            let data = FileManager.default.contents(atPath: folder.url.appending(path: name).path)
            return data?.range(of: needle) != nil
        }
    }
}
