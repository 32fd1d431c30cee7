import CompilerAtHand
import Foundation
import Testing

/// What must not compile: each case is checked by the compiler that built these tests, against the
/// modules that it built.
@Suite(
    "Misuse that does not compile",
    .serialized,
    .enabled(if: CompilerAtHand.has("ObjectContext"), "no compiler, or no built modules")
)
struct CompileTimeTests {
    /// A program around a few statements, which the compiler is to judge.
    private static func program(_ body: String) -> String {
        """
        import ObjectContext
        import ObjectGraph
        import ObjectModel

        struct Sorted: GraphNotification { var sender: AnyObject? }

        func use(
            _ center: GraphNotificationCenter,
            _ undo: UndoManager,
            _ document: ManagedDocument,
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
        let judged = try judge("    " + body)
        #expect(!judged.succeeded, "this compiles: \(body)")
        let errors = judged.output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(errors.contains { $0.contains(culprit) }, "\(judged.output)")
        #expect(!errors.contains { $0.contains("no such module") || $0.contains("cannot find") })
    }

    @Test func observersOfWhatASenderPostsCompile() throws {
        let judged = try judge(
            """
                let tokens = [
                    center.addObserver(of: ContextDidSave.self, from: context) { _ in },
                    center.addObserver(of: UndoManager.DidUndoChange.self, from: undo) { _ in },
                    center.addObserver(of: Sorted.self, from: document) { _ in },
                    center.addObserver(of: NamedNotification.self, from: object) { _ in },
                    center.addObserver(of: DocumentStatusDidChange.self) { _ in },
                    center.addObserver(named: "Anything", from: document) { _ in },
                ]
                _ = center.notifications(of: ObjectsDidChange.self, from: context)
                for token in tokens { center.removeObserver(token) }
            """
        )
        #expect(judged.succeeded, "\(judged.output)")
    }

    @Test(arguments: [
        ("DocumentStatusDidChange", "document", "NoSender"),
        ("StoreRemoteChange", "context.coordinator", "NoSender"),
        ("ContextWillSave", "context.coordinator", "ManagedObjectContext"),
        ("ContextDidSave", "object", "ManagedObjectContext"),
        ("ObjectsDidChange", "undo", "ManagedObjectContext"),
        ("UndoManager.DidUndoChange", "context", "UndoManager"),
        ("UndoManager.Checkpoint", "center", "UndoManager"),
    ])
    func observersOfWhatASenderNeverPostsAreRefused(
        _ type: String,
        _ sender: String,
        _ expected: String
    ) throws {
        let judged = try judge(
            """
                _ = center.addObserver(of: \(type).self, from: \(sender)) { _ in }
                _ = center.notifications(of: \(type).self, from: \(sender))
            """
        )
        let errors = judged.output.split(separator: "\n")
            .filter { $0.contains("misuse.swift") && $0.contains("error:") }
        #expect(
            errors.count == 2
                && errors.allSatisfy { $0.contains("convert") && $0.contains(expected) },
            "\(judged.output)"
        )
    }

    /// The compiler's answer.
    private func judge(_ body: String) throws -> (succeeded: Bool, output: String) {
        let compiler = try #require(CompilerAtHand(having: "ObjectContext"))
        let folder = try ScratchFolder("CompileTimeTests")
        let source = try folder.write(CompileTimeTests.program(body), to: "misuse.swift")
        let answer = try compiler.compile(
            ["-emit-sil", "-o", "/dev/null"] + compiler.importing + [source.path],
            in: folder.url
        )
        return (answer.succeeded, answer.output + answer.errors)
    }
}
