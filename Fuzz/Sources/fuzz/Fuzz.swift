import CDriver
import Foundation
import ParserEntries

/// Runs libFuzzer on the parser that FUZZ_PARSER names.
///
/// With FUZZ_SEEDS, a folder, it writes the parser's sound documents there and ends.
@main
enum Fuzz {
    static let parser: ParserEntry? =
        ParserEntry.named(ProcessInfo.processInfo.environment["FUZZ_PARSER"] ?? "")

    static func main() throws {
        guard let parser else {
            let names = ParserEntry.all.map(\.name).joined(separator: " ")
            print("FUZZ_PARSER must be one of: \(names)")
            exit(2)
        }
        if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] {
            for (number, seed) in try parser.seeds().enumerated() {
                try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(number + 1)"))
            }
            exit(0)
        }
        cdriver_prepare_stack()
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, count in
                Fuzz.test(Array(UnsafeBufferPointer(start: data, count: count)))
                return 0
            }
        )
    }

    private static func test(_ bytes: [UInt8]) {
        do { try parser?.run(bytes) } catch { fatalError("\(error)") }
    }
}
