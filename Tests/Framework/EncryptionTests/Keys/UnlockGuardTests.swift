import Encryption
import Foundation
import Synchronization
import Testing

@Suite("Delay after wrong passphrases")
struct UnlockGuardTests {
    /// A clock that the test sets.
    private final class Clock: Sendable {
        private let now = Mutex(UnlockDelay.Now(wall: 1_000_000, sinceStart: 500, start: "first"))

        var reading: UnlockDelay.Now { now.withLock { $0 } }

        func pass(_ seconds: Double) {
            now.withLock {
                $0.wall += seconds
                $0.sinceStart += seconds
            }
        }

        func setWall(_ wall: Double) { now.withLock { $0.wall = wall } }

        func restart(wall: Double) {
            now.withLock { $0 = .init(wall: wall, sinceStart: 10, start: "second") }
        }
    }

    private let folder: TestFolder
    private let clock = Clock()

    init() throws { folder = try TestFolder() }

    private func makeGuard(_ path: String? = nil) -> UnlockGuard {
        let clock = clock
        return UnlockGuard(path: path ?? folder.file("delay")) { clock.reading }
    }

    private let wrong = EncryptionError(.wrongPassphrase, "wrong")

    private func fail(_ times: Int, _ unlocking: UnlockGuard) {
        for _ in 0..<times {
            clock.pass(unlocking.waitingTime)
            let error = #expect(throws: EncryptionError.self) {
                try unlocking.attempt { throw wrong }
            }
            #expect(error?.code == .wrongPassphrase)
        }
    }

    @Test func delayGrowsWithEachWrongPassphraseUpToItsLimit() {
        let unlocking = makeGuard()
        var delays: [Double] = []
        for _ in 0..<14 {
            fail(1, unlocking)
            delays.append(unlocking.waitingTime)
        }
        #expect(delays == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    }

    @Test func attemptBeforeItsTimeIsNotTried() {
        let unlocking = makeGuard()
        fail(5, unlocking)
        clock.pass(3.5)
        var isTried = false
        let error = #expect(throws: EncryptionError.self) {
            try unlocking.attempt { isTried = true }
        }
        #expect(!isTried)
        #expect(error?.code == .tooManyAttempts)
        #expect(error?.waitingTime == 0.5)
        #expect("\(error as Any)".contains("1 second."))
    }

    @Test func rightPassphraseClearsTheCount() throws {
        let unlocking = makeGuard()
        fail(5, unlocking)
        clock.pass(4)
        #expect(try unlocking.attempt { 42 } == 42)
        fail(2, unlocking)
        #expect(unlocking.waitingTime == 0)
    }

    @Test func countSurvivesTheProcess() {
        fail(6, makeGuard())
        #expect(makeGuard().waitingTime == 8)
    }

    @Test func attemptThatDoesNotEndIsCounted() throws {
        // What a killed process leaves: the file as it is while the passphrase is tried.
        fail(4, makeGuard())
        clock.pass(2)
        var during: Data?
        #expect(throws: EncryptionError.self) {
            try makeGuard().attempt {
                during = try folder.read("delay")
                throw wrong
            }
        }
        try folder.write(try #require(during), to: "killed")
        #expect(makeGuard(folder.file("killed")).waitingTime == 4)
    }

    @Test func errorThatSaysNothingOfThePassphraseIsNotCounted() {
        let unlocking = makeGuard()
        fail(2, unlocking)
        let other = EncryptionError(.system, "no memory")
        for _ in 0..<9 { #expect(throws: other) { try unlocking.attempt { throw other } } }
        #expect(unlocking.waitingTime == 0)
    }

    @Test(arguments: [-1e9, -10, 10, 1e9])
    func settingTheWallClockChangesNothingWhileTheMachineRuns(_ jump: Double) {
        let unlocking = makeGuard()
        fail(8, unlocking)
        clock.setWall(1_000_000 + jump)
        #expect(unlocking.waitingTime == 32)
        clock.pass(31)
        #expect(unlocking.waitingTime == 1)
        clock.pass(1)
        #expect(unlocking.waitingTime == 0)
    }

    @Test func wallClockBehindAfterARestartNeitherLocksForEverNorResets() {
        fail(8, makeGuard())
        clock.restart(wall: 0)
        #expect(makeGuard().waitingTime == 32)
        clock.pass(20)
        #expect(makeGuard().waitingTime == 12)
        clock.pass(12)
        #expect(makeGuard().waitingTime == 0)
        fail(1, makeGuard())
        #expect(makeGuard().waitingTime == 64)
    }

    @Test func restartOfTheMachineKeepsWhatIsLeft() {
        fail(8, makeGuard())
        let wall = clock.reading.wall
        clock.restart(wall: wall + 12)
        #expect(makeGuard().waitingTime == 20)
    }

    @Test(arguments: [
        "nonsense", "unlock-delay 1 -5 0 0 x\n", "unlock-delay 1 5 nan inf x\n",
        "unlock-delay 2 0 0 0 x\n", "unlock-delay 1 3\n", String(repeating: "x", count: 9000),
        "\0\0\0\0",
    ])
    func damagedFileMeansAShortDelay(_ content: String) throws {
        try folder.write(Data(content.utf8), to: "delay")
        #expect(makeGuard().waitingTime == 4)
        clock.pass(4)
        #expect(try makeGuard().attempt { true })
        #expect(makeGuard().waitingTime == 0)
    }

    @Test func unwritableFileStillDelaysWithinTheProcess() {
        let unlocking = makeGuard("/proc/no/such/folder/delay")
        fail(5, unlocking)
        #expect(unlocking.waitingTime == 4)
    }

    @Test func eachStateIsWrittenOverTheFormerOneAtOnce() throws {
        // What was longer would stay behind the new state if the disk failed between two calls.
        fail(1, makeGuard())
        let length = try folder.read("delay").count
        fail(6, makeGuard())
        #expect(try folder.read("delay").count == length)
        clock.pass(64)
        #expect(try makeGuard().attempt { true })
        #expect(try folder.read("delay").count == length)
        // A state of an earlier version is shorter.
        let old = "unlock-delay 1 3 5 \(clock.reading.sinceStart) first\n"
        try folder.write(Data(old.utf8), to: "delay")
        #expect(makeGuard().waitingTime == 1)
        fail(1, makeGuard())
        #expect(try folder.read("delay").count == length)
    }

    @Test func fileIsReadableByItsOwnerOnly() throws {
        fail(1, makeGuard())
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("delay"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func linkIsNotFollowed() throws {
        try folder.write(Data("precious".utf8), to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("delay"),
            withDestinationPath: folder.file("victim")
        )
        fail(3, makeGuard())
        #expect(try folder.read("victim") == Data("precious".utf8))
    }

    @Test func attemptsOfSeveralThreadsAreAllCounted() async {
        let path = folder.file("delay")
        let clock = clock
        let wrong = wrong
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let unlocking = UnlockGuard(path: path) { clock.reading }
                    _ = try? unlocking.attempt { throw wrong }
                }
            }
        }
        // The first three run; each later one finds a waiting time.
        #expect(makeGuard().waitingTime == 1)
    }

    @Test func realClocksAdvance() {
        let first = UnlockGuard.systemClock()
        let second = UnlockGuard.systemClock()
        #expect(second.sinceStart >= first.sinceStart)
        #expect(first.start == second.start)
        #expect(first.wall > 1.7e9)
    }
}
