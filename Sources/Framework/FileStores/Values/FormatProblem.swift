import FoundationEssentials
import ObjectStore
import XMLReading

/// What is wrong with a file, as the rest of a sentence.
struct FormatProblem: Error {
    let text: String

    init(_ text: String) { self.text = text }

    /// Runs a body; a problem becomes an error with the name of the file.
    ///
    /// - Throws: `ObjectGraphError`.
    static func naming<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as XMLFailure {
            throw AtomicStore.damaged(url.lastPathComponent, "\(failure)")
        } catch let problem as FormatProblem {
            throw AtomicStore.damaged(url.lastPathComponent, problem.text)
        }
    }
}
