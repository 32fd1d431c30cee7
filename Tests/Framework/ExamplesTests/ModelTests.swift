import ChildProcess
import Foundation
import Testing

/// The examples' models and the classes that were generated from them.
@Suite struct ModelTests {
    @Test(arguments: Repository.models)
    func generatedClassesAreUpToDate(model: String) throws {
        let examples = try Examples()
        let folder = Repository.folder.appending(path: "Sources/Framework/examples/\(model)").path
        let outcome = try examples.modelgen([
            "generate",
            Repository.folder.appending(path: "Resources/Examples/\(model).xcdatamodeld").path,
            "--output", "\(folder)/Generated", "--human", folder, "--access", "internal", "--check",
        ])
        #expect(outcome == .done(""))
    }

    @Test func firstVersionOfTheShapesIsUpToDate() throws {
        let outcome = try Examples().modelgen([
            "generate",
            Repository.folder.appending(path: "Resources/Examples/Shapes.xcdatamodeld").path,
            "--version", "Shapes", "--name", "ShapesModel1", "--omit-classes", "--output",
            Repository.folder.appending(path: "Sources/Framework/examples/Shapes/Versions/1").path,
            "--access", "internal", "--check",
        ])
        #expect(outcome == .done(""))
    }

    @Test func allButTheModelInCodeAreFiles() {
        // The umpire and the documents make their models in code.
        #expect(Repository.models.count == ExampleTests.listed.count - 2)
    }
}
