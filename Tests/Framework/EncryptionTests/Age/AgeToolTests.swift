import ChildProcess
import Encryption
import Foundation
import SeededRandom
import Testing

/// Files between this implementation and the program age, in both directions.
@Suite(
    "Age files and the program age",
    .enabled(if: InstalledProgram.has("age") && InstalledProgram.has("script"), "needs age")
)
struct AgeToolTests {
    private let folder: TestFolder
    private let identity: AgeIdentity
    private let recipient: AgeRecipient

    init() throws {
        folder = try TestFolder()
        identity = try AgeIdentity.newKey()
        recipient = try #require(try identity.recipient())
        let text = try #require(try identity.text())
        try folder.write(Data("# a comment\n\(text)\n".utf8), to: "key")
    }

    private static let sizes = [0, 1, 65535, 65536, 65537, 131_072, 5 << 20]

    private func plain(_ count: Int) -> Data {
        var random = SeededRandom(seed: UInt64(count) + 1)
        return random.data(count)
    }

    private func run(_ arguments: [String]) throws {
        let end = try end(of: arguments)
        let errors = String(decoding: (try? folder.read("stderr")) ?? Data(), as: UTF8.self)
        try #require(end == .code(0), "\(errors)")
    }

    private func end(of arguments: [String]) throws -> ChildProcess.End {
        let path = try #require(InstalledProgram.path(of: arguments[0]))
        let age = try ChildProcess(
            path,
            Array(arguments.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin"],
            folder: folder.path,
            output: folder.file("stdout"),
            errors: folder.file("stderr")
        )
        return age.wait()
    }

    /// Runs age on a terminal, where it asks for a passphrase.
    private func run(_ arguments: [String], typing passphrase: String, times: Int) throws {
        let input = String(repeating: passphrase + "\n", count: times)
        try folder.write(Data(input.utf8), to: "typed")
        let path = try #require(InstalledProgram.path(of: "script"))
        let script = try ChildProcess(
            path,
            ["-qec", arguments.joined(separator: " "), "/dev/null"],
            environment: ["PATH": "/usr/bin:/bin", "TERM": "dumb"],
            folder: folder.path,
            input: folder.file("typed"),
            output: folder.file("stdout")
        )
        let end = script.wait()
        let output = String(decoding: try folder.read("stdout"), as: UTF8.self)
        try #require(end == .code(0), "\(output)")
    }

    @Test(arguments: sizes, [false, true])
    func ageDecryptsWhatWasEncryptedHere(_ size: Int, armored: Bool) throws {
        let plain = plain(size)
        try folder.write(
            AgeFile.encrypt(plain, for: [recipient], armored: armored),
            to: "file.age"
        )
        try run(["age", "-d", "-i", "key", "file.age"])
        #expect(try folder.read("stdout") == plain)
    }

    @Test(arguments: sizes, [false, true])
    func whatAgeEncryptedIsDecryptedHere(_ size: Int, armored: Bool) throws {
        let plain = plain(size)
        try folder.write(plain, to: "in")
        try run(
            ["age", "-e"] + (armored ? ["-a"] : []) + ["-r", recipient.text, "-o", "out.age", "in"]
        )
        let file = try folder.read("out.age")
        #expect(try AgeFile.decrypt(file, with: [identity]) == plain)
    }

    @Test func ageDecryptsForEachOfSeveralRecipients() throws {
        let others = try (0..<3).map { _ in
            try #require(try AgeIdentity.newKey().recipient())
        }
        let plain = plain(1000)
        try folder.write(AgeFile.encrypt(plain, for: others + [recipient]), to: "file.age")
        try run(["age", "-d", "-i", "key", "file.age"])
        #expect(try folder.read("stdout") == plain)
    }

    @Test func ageDecryptsWithThePassphrase() throws {
        let plain = plain(70_000)
        let passphrase = try SecretBytes("two words")
        try folder.write(
            AgeFile.encrypt(plain, for: [.passphrase(passphrase, workFactor: 12)]),
            to: "file.age"
        )
        try run(["age", "-d", "-o", "out", "file.age"], typing: "two words", times: 1)
        #expect(try folder.read("out") == plain)
    }

    @Test func whatAgeEncryptedWithAPassphraseIsDecryptedHere() throws {
        let plain = plain(70_000)
        try folder.write(plain, to: "in")
        try run(["age", "-p", "-a", "-o", "out.age", "in"], typing: "two words", times: 2)
        let file = try folder.read("out.age")
        let passphrase = try SecretBytes("two words")
        #expect(try AgeFile.decrypt(file, with: [.passphrase(passphrase)]) == plain)
    }

    @Test func keysOfAgeKeygenAreRead() throws {
        try run(["age-keygen", "-o", "made"])
        let text = String(decoding: try folder.read("made"), as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0) }
        let made = try AgeIdentity(#require(lines.last))
        let shown = try #require(lines.compactMap { $0.split(separator: " ").last }.dropLast().last)
        #expect(try made.recipient()?.text == String(shown))
        #expect(try made.text() == lines.last)
    }

    @Test func ageRefusesWhatIsRefusedHere() throws {
        let file = try AgeFile.encrypt(plain(100), for: [recipient])
        for count in [file.count - 1, file.count - 50] {
            try folder.write(file.prefix(count), to: "cut.age")
            #expect(try end(of: ["age", "-d", "-i", "key", "cut.age"]) == .code(1))
            #expect(throws: EncryptionError.self) {
                try AgeFile.decrypt(file.prefix(count), with: [identity])
            }
        }
    }
}
