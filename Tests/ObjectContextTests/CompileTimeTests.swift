import Foundation
import Testing

/// What must not compile: each case is checked by the compiler that built these tests, against the
/// modules that it built.
@Suite("Misuse that does not compile", .serialized)
struct CompileTimeTests {
    /// A program around a few statements, which the compiler is to judge.
    private static func program(_ body: String) -> String {
        """
        import ObjectContext
        import ObjectModel

        func use(
            _ background: BackgroundContext,
            _ context: ManagedObjectContext,
            _ object: ManagedObject
        ) async throws {
        \(body)
        }
        """
    }

    @Test func identitiesMayCross() throws {
        let judged = try judge(
            """
                let id = object.objectID
                let same = try await background.perform { context in
                    try context.existingObject(with: id).objectID
                }
                _ = context.object(with: same)
                background.performAndWait { context in _ = context.hasChanges }
            """
        )
        guard let judged else { return }
        #expect(judged.succeeded, "\(judged.output)")
    }

    @Test(arguments: [
        // An object, or its context, taken along.
        ("await background.perform { _ in _ = object.isFault }", "ManagedObject"),
        ("await background.perform { _ in _ = context.hasChanges }", "ManagedObjectContext"),
        ("background.performAndWait { _ in _ = object.isFault }", "ManagedObject"),
        // Objects, or the context itself, brought back.
        (
            "_ = try await background.perform { try $0.fetch("
                + "FetchRequest<ManagedObject>(entityName: \"A\")) }",
            "ManagedObject"
        ),
        ("_ = await background.perform { $0 }", "ManagedObjectContext"),
        ("_ = background.performAndWait { $0.registeredObjects }", "ManagedObject"),
        // Another task.
        ("Task.detached { _ = object.isFault }\n    _ = object.isFault", "data races"),
        (
            "async let changed = context.hasChanges\n    _ = context.hasChanges\n    _ = await changed",
            "context"
        ),
    ])
    func crossingIsRefused(_ body: String, _ culprit: String) throws {
        guard let judged = try judge("    " + body) else { return }
        #expect(!judged.succeeded, "this compiles: \(body)")
        let errors = judged.output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(errors.contains { $0.contains(culprit) }, "\(judged.output)")
        #expect(!errors.contains { $0.contains("no such module") || $0.contains("cannot find") })
    }

    // MARK: The compiler

    private struct Judgement {
        let succeeded: Bool
        let output: String
    }

    /// The compiler's answer; `nil`, with a line that says so, if it or the modules are not at hand.
    private func judge(_ body: String) throws -> Judgement? {
        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let candidates =
            [products, Bundle.main.bundleURL]
            + CommandLine.arguments.map {
                URL(filePath: $0).deletingLastPathComponent()
            }
        let modules = candidates.map { $0.appending(path: "Modules") }.first {
            FileManager.default.fileExists(
                atPath: $0.appending(path: "ObjectContext.swiftmodule").path
            )
        }
        guard let modules, let compiler = CompileTimeTests.compiler() else {
            print("skipped: the compiler or the built modules are not at hand")
            return nil
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "CompileTimeTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "misuse.swift")
        try Data(CompileTimeTests.program(body).utf8).write(to: source)
        let process = Process()
        process.executableURL = compiler
        let built = modules.deletingLastPathComponent()
        process.arguments = [
            "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules.path,
            "-module-cache-path", built.appending(path: "ModuleCache").path,
            "-Xcc", "-fmodule-map-file=\(built.path)/CText.build/module.modulemap", source.path,
        ]
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return Judgement(
            succeeded: process.terminationStatus == 0,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self)
        )
    }

    /// The compiler on the search path, or of the toolchain whose library runs these tests.
    private static func compiler() -> URL? {
        let environment = ProcessInfo.processInfo.environment
        var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") where line.hasSuffix("/libswiftCore.so") {
            guard let start = line.firstIndex(of: "/"),
                let end = line.range(of: "/lib/swift/")
            else { continue }
            folders.append(line[start..<end.lowerBound] + "/bin")
        }
        return folders.map { URL(filePath: $0).appending(path: "swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
