import FoundationEssentials

/// A parser of what other programs or people wrote, with the law that its results keep.
///
/// The fuzzer in `Fuzz` gives it bytes without end, and the tests give it those that the fuzzer kept.
public struct ParserEntry: Sendable {
    /// The name of its folders in `Fuzz/Corpus` and `Fuzz/Found`.
    public let name: String
    private let body: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Parses the bytes.
    ///
    /// - Throws: ``BrokenLaw`` if what was read does not keep the law. An error of the parser is a
    ///   result like any other.
    public func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        do { try body(bytes) } catch let error as BrokenLaw { throw error } catch {}
    }
}

/// Two ways that should give the same gave different results.
public struct BrokenLaw: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension ParserEntry {
    /// Checks a law.
    ///
    /// - Throws: ``BrokenLaw`` if it is broken.
    static func keeps(_ law: Bool, _ complaint: @autoclosure () -> String) throws {
        if !law { throw BrokenLaw(complaint()) }
    }

    /// Reads what the program has written itself, which must succeed.
    ///
    /// - Throws: ``BrokenLaw`` if it fails.
    static func read<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        do { return try body(text) } catch {
            throw BrokenLaw("what was written cannot be read: \(text): \(error)")
        }
    }
}
