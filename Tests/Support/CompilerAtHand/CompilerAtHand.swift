import ChildProcess
package import FoundationEssentials

/// The compiler that built the tests, and what it built: for tests of what compiles, and of programs
/// that use the framework from outside.
package struct CompilerAtHand {
    /// The path of `swiftc`.
    package let path: String
    /// The folder of the build's products, with `Modules` and one folder of objects a target.
    package let products: URL

    /// What a compiler or a program said.
    package struct Answer {
        package let succeeded: Bool
        /// What it printed, with what went wrong after it.
        package let output: String
        package let errors: String
    }

    /// Looks for the compiler and for the built modules; `nil` if one of them is missing.
    ///
    /// A test that cannot do without has the trait `.enabled(if: CompilerAtHand.has("…"), …)`.
    ///
    /// - Parameter module: one that must have been built.
    package init?(having module: String) {
        guard let products = CompilerAtHand.products(having: module),
            let path = CompilerAtHand.compiler()
        else { return nil }
        self.path = path
        self.products = products
    }

    /// Whether the compiler and a built module are there.
    package static func has(_ module: String) -> Bool { CompilerAtHand(having: module) != nil }

    /// What lets a source import the built modules, as a program of somebody else would.
    package var importing: [String] {
        let maps = ["CText", "CSQLite", "CFiles", "CObjects", "CExpat", "CDeflate", "CSodium"]
            .map { products.appending(path: "\($0).build/module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        return [
            "-swift-version", "6", "-I", products.appending(path: "Modules").path,
            "-module-cache-path", products.appending(path: "ModuleCache").path,
        ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// The object files of some targets, to link with.
    ///
    /// - Returns: `nil` if one of them has none, as in a build by whole modules elsewhere.
    package func objects(of targets: [String]) -> [String]? {
        var result: [String] = []
        for target in targets {
            let folder = products.appending(path: "\(target).build")
            let objects = currentObjects(in: folder) ?? allObjects(in: folder)
            if objects.isEmpty { return nil }
            result += objects.sorted()
        }
        return result
    }

    /// The object files of a Swift target's sources as they are now; those of files that have been
    /// renamed or removed stay in the folder.
    private func currentObjects(in folder: URL) -> [String]? {
        struct Outputs: Decodable { let object: String? }
        guard
            let data = try? Data(contentsOf: folder.appending(path: "output-file-map.json")),
            let map = try? JSONDecoder().decode([String: Outputs].self, from: data)
        else { return nil }
        let objects = map.values.compactMap(\.object)
        return objects.filter { FileManager.default.fileExists(atPath: $0) }
    }

    private func allObjects(in folder: URL) -> [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".o") }.map { folder.appending(path: $0).path }
    }

    /// Whether object files link with the framework's libraries alone.
    ///
    /// Those made for a sanitizer or for coverage need its library.
    package static func arePlain(_ objects: [String]) -> Bool {
        let words = ["-qE", "__asan_|__tsan_|__llvm_profile_"] + objects
        guard let folder = try? ScratchFolder("CompilerAtHand"),
            let found = try? run("/usr/bin/grep", words, in: folder.url)
        else { return false }
        return !found.succeeded
    }

    /// Runs the compiler.
    package func compile(_ arguments: [String], in folder: URL) throws -> Answer {
        try CompilerAtHand.run(path, arguments, in: folder)
    }

    /// What the compiler says to each of several bodies of a function: its errors, none if it compiles.
    ///
    /// They are compiled together. What one refuses early hides what it would refuse later in others:
    /// so those without an error are compiled again, until nothing is refused.
    ///
    /// `frame` is what the source begins with, `signature` that of the functions, without name and
    /// brace.
    package func errors(
        in bodies: [String],
        _ frame: String,
        _ signature: String
    ) throws -> [[String]] {
        let folder = try ScratchFolder("CompilerAtHand")
        var result = [[String]](repeating: [], count: bodies.count)
        var open = Array(bodies.indices)
        while !open.isEmpty {
            var source = frame + "\n"
            var starts: [Int] = []
            for index in open {
                starts.append(source.count { $0 == "\n" } + 1)
                source += "func use\(index)\(signature) {\n\(bodies[index])\n}\n"
            }
            let file = try folder.write(source, to: "misuse.swift")
            let answer = try compile(
                ["-emit-sil", "-o", "/dev/null", "-diagnostic-style", "llvm"] + importing + [
                    file.path
                ],
                in: folder.url
            )
            for line in (answer.output + answer.errors).split(separator: "\n") {
                guard let match = line.firstMatch(of: #/misuse\.swift:(\d+):(\d+): error: /#),
                    let number = Int(match.1),
                    let place = starts.lastIndex(where: { $0 <= number })
                else { continue }
                // The line within the body, from 1.
                result[open[place]].append(
                    "\(number - starts[place]):\(match.2): \(line[match.range.upperBound...])"
                )
            }
            if !answer.succeeded, open.allSatisfy({ result[$0].isEmpty }) {
                throw Unexplained(output: answer.output + answer.errors)
            }
            let left = open.filter { result[$0].isEmpty }
            if left.count == open.count { break }
            open = left
        }
        return result
    }

    /// The compiler refused, but named no place of the source.
    private struct Unexplained: Error { let output: String }

    /// Runs a program with the environment of the tests and waits for its end; its output is kept
    /// in the folder where it runs meanwhile.
    package static func run(
        _ program: String,
        _ arguments: [String] = [],
        in folder: URL
    ) throws -> Answer {
        let name = UUID().uuidString
        let output = folder.appending(path: "\(name).out")
        let errors = folder.appending(path: "\(name).err")
        defer { for url in [output, errors] { try? FileManager.default.removeItem(at: url) } }
        let process = try ChildProcess(
            program,
            arguments,
            environment: ProcessInfo.processInfo.environment,
            folder: folder.path,
            output: output.path,
            errors: errors.path
        )
        let end = process.wait()
        return Answer(
            succeeded: end == .code(0),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self)
                + (end == .code(0) ? "" : "\nit ended with \(end)")
        )
    }

    private static func products(having module: String) -> URL? {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let named = CommandLine.arguments.map { URL(filePath: $0).deletingLastPathComponent() }
        return ([own] + named).first {
            let built = $0.appending(path: "Modules/\(module).swiftmodule")
            return FileManager.default.fileExists(atPath: built.path)
        }
    }

    /// The compiler on the search path, or of the toolchain whose library runs the tests.
    private static func compiler() -> String? {
        let environment = ProcessInfo.processInfo.environment
        var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") where line.hasSuffix("/libswiftCore.so") {
            guard let start = line.firstIndex(of: "/"), let end = line.firstRange(of: "/lib/swift/")
            else { continue }
            folders.append(line[start..<end.lowerBound] + "/bin")
        }
        return folders.map { "\($0)/swiftc" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// A folder that is there while it is in use.
package final class ScratchFolder {
    package let url: URL

    package init(_ name: String) throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a text into a file of the folder.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
