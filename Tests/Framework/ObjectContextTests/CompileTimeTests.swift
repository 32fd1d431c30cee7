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
    private static let frame = """
        import ObjectContext
        import ObjectGraph
        import ObjectModel

        struct Sorted: GraphNotification { var sender: AnyObject? }
        """

    private static let signature = """
        (
            _ center: GraphNotificationCenter,
            _ undo: UndoManager,
            _ document: ManagedDocument,
            _ background: BackgroundContext,
            _ context: ManagedObjectContext,
            _ object: ManagedObject
        ) async throws
        """

    @Test func identitiesMayCross() throws {
        let errors = try judge([
            """
                let id = object.objectID
                let same = try await background.perform { context in
                    try context.existingObject(with: id).objectID
                }
                _ = context.object(with: same)
                background.performAndWait { context in _ = context.hasChanges }
            """
        ])
        #expect(errors == [[]])
    }

    private static let crossings = [
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
    ]

    @Test func crossingIsRefused() throws {
        let judged = try judge(Self.crossings.map { "    " + $0.0 })
        for ((body, culprit), errors) in zip(Self.crossings, judged) {
            #expect(errors.contains { $0.contains(culprit) }, "\(body): \(errors)")
            #expect(!errors.contains { $0.contains("cannot find") })
        }
    }

    @Test func observersOfWhatASenderPostsCompile() throws {
        let errors = try judge([
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
        ])
        #expect(errors == [[]])
    }

    private static let mistakes = [
        ("DocumentStatusDidChange", "document", "NoSender"),
        ("StoreRemoteChange", "context.coordinator", "NoSender"),
        ("ContextWillSave", "context.coordinator", "ManagedObjectContext"),
        ("ContextDidSave", "object", "ManagedObjectContext"),
        ("ObjectsDidChange", "undo", "ManagedObjectContext"),
        ("UndoManager.DidUndoChange", "context", "UndoManager"),
        ("UndoManager.Checkpoint", "center", "UndoManager"),
    ]

    @Test func observersOfWhatASenderNeverPostsAreRefused() throws {
        let judged = try judge(
            Self.mistakes.map { type, sender, _ in
                """
                    _ = center.addObserver(of: \(type).self, from: \(sender)) { _ in }
                    _ = center.notifications(of: \(type).self, from: \(sender))
                """
            }
        )
        for ((type, sender, expected), errors) in zip(Self.mistakes, judged) {
            #expect(
                errors.count == 2
                    && errors.allSatisfy { $0.contains("convert") && $0.contains(expected) },
                "\(type) from \(sender): \(errors)"
            )
        }
    }

    private func judge(_ bodies: [String]) throws -> [[String]] {
        let compiler = try #require(CompilerAtHand(having: "ObjectContext"))
        return try compiler.errors(in: bodies, Self.frame, Self.signature)
    }
}
