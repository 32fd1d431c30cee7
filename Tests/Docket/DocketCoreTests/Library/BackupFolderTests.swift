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

    /// The part of a process that has ended is removed, that of one that goes on is not.
    @Test(arguments: [true, false]) func aKilledBackupIsRemovedBeforeTheNext(isPlain: Bool) throws {
        try withTemporaryFolder { folder in
            let backups = BackupFolder(store: folder + "/docket.sqlite")
            let ended = try ChildProcess("/usr/bin/env", ["true"])
            #expect(ended.wait() == .code(0))
            try FileManager.default.createDirectory(
                atPath: backups.path,
                withIntermediateDirectories: true
            )
            let names = [
                "docket-20261122T090000Z-before-migration.sqlite.part-\(ended.identifier)-17",
                "docket-encrypting.sqlite.part-\(ended.identifier)-age",
                "docket-20261122T090000Z-daily.sqlite.part-\(getpid())-17",
                "notes.sqlite.part-\(ended.identifier)-17",
            ]
            for name in names { try write("\(backups.path)/\(name)") }
            _ = try isPlain ? backups.temporaryPath() : backups.newPath(.asked, at: date)
            let left = try FileManager.default.contentsOfDirectory(atPath: backups.path)
            #expect(left.sorted() == names[2...].sorted())
        }
    }

    /// Newer ones that may be damaged do not push out the last one that is known to be right.
    @Test func theLastVerifiedBackupStaysBesideDoubtfulOnes() throws {
        try withTemporaryFolder { folder in
            let backups = BackupFolder(store: folder + "/docket.sqlite")
            let verified = try backups.newPath(.beforeImport, at: date)
            try write(verified)
            for minute in 1...20 {
                let time = date.addingTimeInterval(Double(minute) * 60)
                try write(BackupFolder.doubtful(try backups.newPath(.beforeImport, at: time)))
                backups.prune(BackupPolicy())
            }
            let left = backups.backups
            #expect(left.count == BackupPolicy.others + 1)
            #expect(left.last?.path == verified && left.last?.isDoubtful == false)
            #expect(left.dropLast().allSatisfy { $0.isDoubtful })
        }
    }

    /// A repair that was killed has left its copy, with another ending.
    @Test(arguments: [".damaged", ".doubtful.sqlite"])
    func copiesOfOneSecondWithOtherEndingsHaveNamesOfTheirOwn(_ ending: String) throws {
        try withTemporaryFolder { folder in
            let backups = BackupFolder(store: folder + "/docket.sqlite")
            let first = try backups.newPath(.beforeRepair, at: date)
            try write(first.dropLast(".sqlite".count) + ending)
            #expect(try backups.newPath(.beforeRepair, at: date).hasSuffix("-repair-2.sqlite"))
        }
    }
}
