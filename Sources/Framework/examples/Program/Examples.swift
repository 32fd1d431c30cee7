import ArgumentParser
import FoundationEssentials
import Glibc
import ObjectGraph

/// `examples NAME`: runs one of the examples.
@main
struct Examples: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "examples",
        abstract: "Small programs on ObjectGraph.",
        discussion: """
            "examples list" shows what there is. An example keeps its objects in a temporary \
            folder, which goes when it ends, or in a file of yours, where a second run finds them.

            Exit codes: 0 done; 1 the example failed; 2 the store cannot be opened or written; \
            64 the command line is wrong.
            """
    )

    @Argument(help: "An example, or \"list\".") var name = "list"
    @Option(help: "How the objects are kept: sqlite, memory, binary, xml or text.")
    var store = StoreForm.sqlite
    @Option(help: "The file that keeps them. (default: a temporary one)", completion: .file())
    var file: String?
    @Option(help: "How much \"lab\" and \"import\" work on.") var size: Int?

    func run() throws {
        if name == "list" {
            list()
        } else {
            let example = try checked()
            do {
                try inFolder { try run(example, $0) }
            } catch {
                let advice = ErrorAdvice(error)
                throw Examples.failure(
                    "\(advice.sentence) \(advice.nextStep)",
                    Examples.code(of: error)
                )
            }
        }
        guard fflush(nil) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Examples.failure("The output cannot be written: \(reason).", 1)
        }
    }

    private func list() {
        let output = Output { print($0) }
        let forms = StoreForm.allCases.map(\.rawValue).joined(separator: "|")
        output("examples NAME [--store \(forms)] [--file PATH]")
        output()
        output.rows(ExampleTable.all.map { [$0.name, $0.summary] })
    }

    /// The example of the command line, if it exists and can be run so.
    private func checked() throws -> any Example {
        guard let example = ExampleTable.example(named: name) else {
            let names = ExampleTable.all.map(\.name).joined(separator: ", ")
            throw Examples.refusal("\"\(name)\" is not an example; the examples are: \(names).")
        }
        if file != nil, !store.isFile {
            throw Examples.refusal("A store in memory has no file: remove --file.")
        }
        if let size, example.defaultSize == nil || size < 1 {
            let reason =
                example.defaultSize == nil
                ? "\"\(name)\" has only one size: remove --size."
                : "A size of \(size) is too small: use 1 or more."
            throw Examples.refusal(reason)
        }
        return example
    }

    /// Calls the body with the file of the command line, or with one in a folder that is then
    /// removed.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        if let file { return try body(URL(filePath: file)) }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "\(name).\(store.rawValue)"))
    }

    private func run(_ example: any Example, _ file: URL) throws {
        let environment = ExampleEnvironment(
            output: Output { print($0) },
            size: size ?? example.defaultSize ?? 0,
            store: store,
            file: file
        )
        defer { environment.close() }
        try example.run(in: environment)
    }

    private static func refusal(_ sentence: String) -> ExitCode { failure(sentence, 64) }

    /// Prints on stderr why the program ends.
    private static func failure(_ sentence: String, _ code: Int32) -> ExitCode {
        fflush(nil)
        let line = sentence + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        return ExitCode(code)
    }

    private static func code(of error: any Error) -> Int32 {
        guard let error = error as? ObjectGraphError else { return 1 }
        switch error.code {
        case .cannotOpen, .cannotWrite, .damagedFile, .storeTypeMismatch, .incompatibleVersion,
            .sqlite, .timedOut, .saveFailed:
            return 2
        default: return 1
        }
    }
}
