import Foundation
import ParserEntries
import SeededRandom
import Testing

/// The inputs that the fuzzer has kept: those that lead through all of a parser, and those on which
/// one has failed.
@Suite struct KeptInputTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Fuzz").standardizedFileURL

    @Test(arguments: ParserEntry.all.map(\.name))
    func keptInputsAreReadOrRefused(_ name: String) throws {
        let parser = try #require(ParserEntry.named(name))
        for kind in ["Corpus", "Found"] {
            let folder = Self.folder.appending(path: "\(kind)/\(name)")
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            // All on which one has failed; a third of the others, but for long tests.
            var random = SeededRandom(seed: 1)
            for file in random.share(of: files.sorted(), oneIn: kind == "Found" ? 1 : 3) {
                let bytes = try Data(contentsOf: folder.appending(path: file))
                do { try parser.run([UInt8](bytes)) } catch {
                    Issue.record("\(kind)/\(name)/\(file): \(error)")
                }
            }
        }
    }

    @Test(arguments: ParserEntry.all.map(\.name))
    func soundDocumentsKeepTheLaws(_ name: String) throws {
        let parser = try #require(ParserEntry.named(name))
        let seeds = try parser.seeds()
        #expect(!seeds.isEmpty)
        for seed in seeds {
            try parser.run(seed)
            // Cut off, and with each byte changed.
            for place in stride(
                from: 0,
                to: seed.count,
                by: max(1, seed.count / SeededRandom.rounds(15, long: 40))
            ) {
                try parser.run(Array(seed[..<place]))
                var damaged = seed
                damaged[place] ^= 0x11
                try parser.run(damaged)
            }
        }
    }
}
