import ChildProcess
import Foundation
import ObjectModel
import ObjectModelFile
import Testing

/// The tool as a shell sees it.
@Suite struct ModelgenTests {
    private func tool() -> URL {
        // Beside the test bundle, wherever that was built.
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "modelgen")
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : packageRoot.appending(path: ".build/debug/modelgen")
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try withTemporaryFolder { folder in
            let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
            let process = try ChildProcess(
                tool().path,
                arguments,
                output: output.path,
                errors: errors.path
            )
            let end = process.wait()
            let text = try [output, errors].map {
                String(decoding: try Data(contentsOf: $0), as: UTF8.self)
            }
            guard case .code(let status) = end else { return (-1, text.joined()) }
            return (status, text.joined())
        }
    }

    @Test func modelIsMadeFromTheShell() throws {
        try withTemporaryFolder { folder in
            let plain = folder.appending(path: "M.xcdatamodel").path
            let model = folder.appending(path: "M.xcdatamodeld").path
            let steps: [[String]] = [
                ["new", plain],
                ["add-entity", plain, "Task"],
                ["make-versioned", plain],
                ["add-entity", model, "List", "--unique", "name"],
                ["add-attribute", model, "List.name", "String", "--required", "--default", "New"],
                ["add-attribute", model, "Task.points", "Integer 16", "--default", "3"],
                ["add-attribute", model, "List.count", "Integer 64", "--derived", "tasks.@count"],
                [
                    "add-relationship", model, "List.tasks", "Task", "--to-many", "--delete-rule",
                    "cascade", "--inverse", "list",
                ],
                ["add-request", model, "Big", "Task", "points > $N"],
                ["add-fetched", model, "List.big", "Task", "list == $FETCH_SOURCE"],
                ["add-configuration", model, "Main", "Task", "List"],
                ["add-version", model, "M 2", "--current"],
                ["rename", model, "Task.points", "score"],
                ["remove", model, "Main", "--configuration"],
                ["set-current", model, "M"],
            ]
            for step in steps {
                let process = try run(step)
                #expect(process.status == 0, "\(step): \(process.output)")
            }
            #expect(!FileManager.default.fileExists(atPath: plain))
            let package = try ModelPackage(contentsOf: model)
            #expect(package.versionNames == ["M", "M 2"])
            #expect(package.currentName == "M")
            #expect(package.issues.isEmpty)
            let first = try #require(package.versions["M"]?.model)
            let second = try #require(package.versions["M 2"]?.model)
            #expect(first.configurations["Main"]?.sorted() == ["List", "Task"])
            #expect(second.configurations.isEmpty)
            #expect(
                second.entity(named: "Task")?.ownProperties.contains { $0.name == "score" } == true
            )
            try first.freeze()
            let tasks = first.entity(named: "List")?.property(named: "tasks")
            #expect((tasks as? RelationshipDescription)?.inverse?.name == "list")
            #expect((tasks as? RelationshipDescription)?.deleteRule == .cascade)
            let drawing = try run(["draw", model, "--svg"])
            #expect(drawing.output.contains("</svg>"))
        }
    }

    @Test func mistakeIsReportedAndWritesNothing() throws {
        try withTemporaryFolder { folder in
            let model = folder.appending(path: "M.xcdatamodeld").path
            for step in [["new", model], ["add-entity", model, "Task"]] {
                #expect(try run(step).status == 0)
            }
            let file = model + "/M.xcdatamodel/contents"
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            let wrong: [[String]] = [
                ["new", model],
                ["add-entity", model, "Task"],
                ["add-attribute", model, "Task.a", "Strange"],
                ["add-attribute", model, "Task.a", "Integer 16", "--default", "x"],
                ["add-attribute", model, "a", "String"],
                ["add-relationship", model, "Task.a", "Nobody"],
                ["add-request", model, "R", "Task", "((("],
                ["rename", model, "Task.none", "x"],
                ["remove", model, "None"],
                ["set-current", model, "M 9"],
            ]
            for step in wrong {
                let process = try run(step)
                #expect(process.status != 0, "\(step)")
                #expect(!process.output.isEmpty)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        }
    }
}
