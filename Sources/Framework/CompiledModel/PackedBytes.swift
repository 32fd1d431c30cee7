import CDeflate
package import FoundationEssentials
import ObjectModel

/// Bytes as Core Data packs them: a raw deflate stream, or one with a zlib header.
package enum PackedBytes {
    /// The most that is unpacked: some hundred times the largest model known, and little enough that
    /// a few damaged or hostile bytes cannot fill the memory.
    package static let limit = 64 << 20

    /// The unpacked bytes; bytes that are not packed come back unchanged.
    ///
    /// - Throws: ``CompiledModelProblem`` if they are damaged, or unpack to more than ``limit``.
    /// - Complexity: O(unpacked bytes).
    package static func unpacked(_ data: Data) throws -> Data {
        if data.starts(with: BinaryPropertyList.magic) { return data }
        // A zlib header is two bytes, of which the number is a multiple of 31.
        let start = data.prefix(2).map { Int($0) }
        let hasHeader = start.count == 2 && start[0] == 0x78 && (start[0] << 8 | start[1]) % 31 == 0
        var size = max(1 << 14, data.count * 8)
        while true {
            var result = Data(count: min(size, limit))
            let count = result.withUnsafeMutableBytes { output in
                data.withUnsafeBytes { input in
                    cdeflate_unpack(
                        input.bindMemory(to: UInt8.self).baseAddress,
                        input.count,
                        hasHeader ? 1 : 0,
                        output.bindMemory(to: UInt8.self).baseAddress,
                        output.count
                    )
                }
            }
            if count >= 0 { return result.prefix(count) }
            if count != -2 { throw CompiledModelProblem("its packed bytes are damaged") }
            if size >= limit { throw CompiledModelProblem("it is unusually large") }
            size *= 4
        }
    }
}

/// What is wrong with a compiled model, as the rest of a sentence: `it was cut off`.
package struct CompiledModelProblem: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Runs a body; a problem of the property list becomes one of the model.
    ///
    /// - Throws: ``CompiledModelProblem``.
    static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let problem as PropertyListProblem {
            throw CompiledModelProblem(problem.description)
        }
    }
}
