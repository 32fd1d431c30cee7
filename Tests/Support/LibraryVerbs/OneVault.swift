import DocketCore
import Encryption
package import FoundationEssentials
import Synchronization

/// Lets one test at a time use a vault: the keys of encrypted attributes belong to the process.
package enum OneVault {
    private static let turn = Mutex(())
    private static let made = Mutex<[String: Data]>([:])

    package static func alone(_ body: () throws -> Void) rethrows {
        try turn.withLock { _ in try body() }
    }

    /// The file of an empty vault that is opened with the least work, for tests that start programs:
    /// it is made once in the process.
    package static func file(passphrase: String) throws -> Data {
        try made.withLock { made in
            if let file = made[passphrase] { return file }
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "vault-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "vault.sqlite").path
            try alone {
                let vault = Vault(path: path, author: "test")
                try vault.create(passphrase: SecretBytes(passphrase), cost: .leastForTests)
                vault.close()
            }
            let file = try Data(contentsOf: URL(filePath: path))
            made[passphrase] = file
            return file
        }
    }
}
