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

    /// Parsers with words of their own; `DOCKET_PARSERS` chooses some.
    private static let dictionaries: [String] = {
        let path = folder.appending(path: "Dictionaries").path
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let chosen = ProcessInfo.processInfo.environment["DOCKET_PARSERS"]?.split(separator: " ")
        return all.sorted().filter { name in chosen?.contains { name == $0 } ?? true }
    }()

    /// The words of a dictionary of libFuzzer.
    private static func words(_ name: String) throws -> [[UInt8]] {
        let file = folder.appending(path: "Dictionaries/\(name)")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            guard let start = $0.firstIndex(of: "\""), let end = $0.lastIndex(of: "\"") else {
                return nil
            }
            var word: [UInt8] = []
            var rest = $0[start..<end].dropFirst()
            while let character = rest.popFirst() {
                if character == "\\", rest.hasPrefix("x") {
                    word.append(UInt8(rest.dropFirst().prefix(2), radix: 16) ?? 0)
                    rest = rest.dropFirst(3)
                } else if character == "\\" {
                    word += String(rest.removeFirst()).utf8
                } else {
                    word += String(character).utf8
                }
            }
            return word
        }
    }

    /// A sound document with some words, bytes and ranges changed.
    private static func changed(
        _ seeds: [[UInt8]],
        _ words: [[UInt8]],
        _ random: inout SeededRandom
    ) -> [UInt8] {
        var bytes = random.pick(seeds)
        func range(of bytes: [UInt8], _ random: inout SeededRandom) -> Range<Int> {
            let start = random.below(bytes.count + 1)
            return start..<min(bytes.count, start + random.below(random.pick([2, 8, 64])))
        }
        for _ in 0...random.below(8) {
            let place = range(of: bytes, &random)
            switch random.below(5) {
            case 0: bytes.removeSubrange(place)
            case 1: bytes.replaceSubrange(place, with: [UInt8(random.below(256))])
            case 2:
                let other = random.pick(seeds)
                bytes.insert(contentsOf: other[range(of: other, &random)], at: place.lowerBound)
            case 3: bytes.insert(contentsOf: bytes[place], at: random.below(bytes.count + 1))
            default: bytes.insert(contentsOf: random.pick(words), at: place.lowerBound)
            }
        }
        return bytes
    }

    @Test(arguments: dictionaries)
    func changedDocumentsKeepTheLaws(_ name: String) throws {
        let parser = try #require(ParserEntry.named(name))
        let (seeds, words) = (try parser.seeds(), try Self.words(name) + [[10], [32]])
        for seed in SeededRandom.seeds(40) {
            var random = SeededRandom(seed: seed)
            let bytes = Self.changed(seeds, words, &random)
            do { try parser.run(bytes) } catch {
                Issue.record("seed \(seed): \(error)\n\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
