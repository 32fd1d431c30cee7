import ChildProcess
import Foundation
import Testing

@testable import DocketCore

@Suite struct BackupFolderTests {
    private let date = Date(timeIntervalSince1970: 1_795_000_000)

    private func write(_ path: String) throws { try Data("x".utf8).write(to: URL(filePath: path)) }

    /// A fast machine makes several in a second.
    @Test func theNewestOfOneSecondIsKeptWhenOlderOnesGo() throws {
        try withTemporaryFolder { folder in
            let backups = BackupFolder(store: folder + "/docket.sqlite")
            for round in 0..<8 {
                let path = try backups.newPath(.beforeImport, at: date)
                try write(path)
                backups.prune(BackupPolicy())
                #expect(backups.backups.first?.path == path, "round \(round)")
                #expect(backups.backups.count == min(round + 1, BackupPolicy.others))
            }
        }
    }

    @Test func encryptedBackupsOfOneSecondHaveNamesOfTheirOwn() throws {
        try withTemporaryFolder { folder in
            let backups = BackupFolder(store: folder + "/docket.sqlite")
            let first = try backups.newEncryptedPath(at: date)
            try write(first)
            let second = try backups.newEncryptedPath(at: date)
            #expect(first.hasSuffix("-asked.sqlite.age") && second.hasSuffix("-asked-2.sqlite.age"))
        }
    }
}
