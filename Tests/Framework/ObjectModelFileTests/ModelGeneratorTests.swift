import Foundation
import ObjectGraph
import ObjectModelFile
import Testing

/// The class that an attribute of the fixture holds.
final class Color {}

@Suite struct ModelGeneratorTests {
    private static let fixtures = packageRoot.appending(
        path: "Tests/Framework/ObjectModelFileTests/Thing"
    )

    private func generator() throws -> ModelGenerator {
        var generator = try ModelGenerator(ModelFileTests.fullModel(), typeName: "ThingModel")
        generator.access = .internal
        return generator
    }

    /// The generated code of the full model is part of these tests, so it compiles.
    ///
    /// With `DOCKET_RECORD` set it is written again, and the test fails to report it.
    @Test func committedFixtureIsUpToDate() throws {
        let folder = ModelGeneratorTests.fixtures.path
        if ProcessInfo.processInfo.environment["DOCKET_RECORD"] != nil {
            _ = try generator().write(to: folder, human: folder)
            Issue.record("the fixture was recorded")
        }
        #expect(try generator().stalePaths(in: folder, human: folder) == [])
    }

    @Test func generatedModelEqualsItsSource() throws {
        let model = try ModelFileTests.fullModel()
        #expect(ThingModel.make().differences(from: model) == [])
    }

    @Test func committedCodeOfDocketIsUpToDate() throws {
        let file = try ModelPackage(
            contentsOf: packageRoot.appending(path: "Resources/Docket.xcdatamodeld").path
        )
        var generator = try ModelGenerator(file.current.model, typeName: "DocketModel")
        generator.access = .public
        let human = packageRoot.appending(path: "Sources/Docket/DocketCore/Model")
        let output = human.appending(path: "Generated")
        let stale = try generator.stalePaths(in: output.path, human: human.path)
        #expect(stale == [], "run make generate")
    }

    @Test func modelOfDocketIsFreeOfIssuesAndInCanonicalForm() throws {
        let path = packageRoot.appending(path: "Resources/Docket.xcdatamodeld")
        let package = try ModelPackage(contentsOf: path.path)
        #expect(package.issues.isEmpty)
        for (name, version) in package.versions {
            #expect(version.check().map(\.description) == [])
            let text = try String(
                contentsOf: path.appending(path: "\(name).xcdatamodel/contents"),
                encoding: .utf8
            )
            #expect(try version.contents() == text)
        }
    }

    @Test func orderOfEntitiesDoesNotChangeTheOutput() throws {
        func files(_ reversed: Bool) throws -> [ModelGenerator.File] {
            let names = ["A", "B", "C"]
            let entities = names.map { name in
                EntityDescription(
                    name,
                    className: name,
                    superentity: name == "A" ? nil : "A",
                    ["y", "x"].map { AttributeDescription("\(name.lowercased())\($0)", .string) }
                )
            }
            let model = ManagedObjectModel(reversed ? entities.reversed() : entities)
            model.configurations = ["K": reversed ? names.reversed() : names]
            return try ModelGenerator(model, typeName: "M").files()
        }
        #expect(try files(false) == files(true))
    }

    @Test func oneFileHasTheModelAndAllClassesAndIsWrittenWhenTheyChange() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "ThingModel.swift").path
            #expect(try generator().write(toFile: path))
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix(ModelGenerator.mark))
            for file in try generator().files() {
                #expect(text.contains(file.text), "\(file.name)")
            }
            #expect(try !generator().write(toFile: path))
            var other = try generator()
            other.access = .public
            #expect(try other.write(toFile: path))
            let missing = folder.appending(path: "none/ThingModel.swift").path
            #expect(throws: ObjectGraphError.self) { try other.write(toFile: missing) }
        }
    }

    @Test func onlyThePropertiesOfAHumanFileAreWrittenAgain() throws {
        try withTemporaryFolder { folder in
            let human = folder.appending(path: "human")
            let output = folder.appending(path: "generated")
            _ = try generator().write(to: output.path, human: human.path)
            let file = human.appending(path: "Thing.swift")
            let made = try String(contentsOf: file, encoding: .utf8)
            let mine = made.replacing("/// The objects of the entity Thing.", with: "/// Mine.")
                .replacing("}\n", with: "\n    var mine: Int { 1 }\n}\n")
            try Data(mine.utf8).write(to: file)
            let foreign = output.appending(path: "Foreign.swift")
            try Data("// by hand".utf8).write(to: foreign)
            let old = output.appending(path: "Gone+Properties.swift")
            try Data((ModelGenerator.mark + "; do not edit.").utf8).write(to: old)

            #expect(try generator().stalePaths(in: output.path, human: human.path) == [old.path])
            let outcome = try generator().write(to: output.path, human: human.path)
            #expect(outcome.written == [])
            #expect(outcome.removed == [old.path])
            #expect(try String(contentsOf: file, encoding: .utf8) == mine)
            #expect(FileManager.default.fileExists(atPath: foreign.path))

            let changed = mine.replacing("var title: String", with: "var headline: String")
                .replacing("import FoundationEssentials\n", with: "")
            try Data(changed.utf8).write(to: file)
            let stale = try generator().stalePaths(in: output.path, human: human.path)
            #expect(stale == [file.path])
            #expect(
                try generator().write(to: output.path, human: human.path).written == [file.path]
            )
            #expect(try String(contentsOf: file, encoding: .utf8) == mine)
        }
    }

    @Test func humanFileWithoutAPlaceForThePropertiesIsRefusedAndKept() throws {
        try withTemporaryFolder { folder in
            _ = try generator().write(to: folder.path, human: folder.path)
            let file = folder.appending(path: "Thing.swift")
            try Data("class Thing {}".utf8).write(to: file)
            let error = #expect(throws: ObjectGraphError.self) {
                try generator().write(to: folder.path, human: folder.path)
            }
            #expect(error?.message.contains("Thing.swift") == true)
            #expect(error?.recovery.contains("Put these two lines") == true)
            #expect(try String(contentsOf: file, encoding: .utf8) == "class Thing {}")
        }
    }

    @Test(arguments: ["description", "objectID", "two words", "9lives"])
    func propertyNameThatSwiftCannotHaveIsRefused(name: String) {
        let entity = EntityDescription(
            "A",
            className: "A",
            [AttributeDescription(name, .string)]
        )
        let error = #expect(throws: ObjectGraphError.self) {
            try ModelGenerator(ManagedObjectModel([entity]), typeName: "M")
        }
        #expect(error?.message.contains("A.\(name)") == true)
    }

    @Test func classOfTwoEntitiesIsRefused() {
        let entities = ["A", "B"].map { EntityDescription($0, className: "Same") }
        #expect(throws: ObjectGraphError.self) {
            try ModelGenerator(ManagedObjectModel(entities), typeName: "M")
        }
    }

    @Test func nameTooLongForALineSparesTheFileFromLint() throws {
        let name = String(repeating: "VeryLong", count: 11)
        let entity = EntityDescription(name, className: name, [AttributeDescription("a", .date)])
        let files = try ModelGenerator(ManagedObjectModel([entity]), typeName: "M").files()
        let generated = files.filter { !$0.isHuman && $0.text.contains(name) }
        #expect(!generated.isEmpty)
        for file in generated {
            #expect(file.text.hasPrefix(ModelGenerator.mark))
            #expect(file.text.contains("\n// swift-format-ignore-file\n"))
        }
    }

    @Test func linesFitThePage() throws {
        for file in try generator().files() {
            for line in file.text.split(separator: "\n") where line.count > 100 {
                Issue.record("\(file.name): \(line)")
            }
        }
    }

    @Test func accessorsReachTheirProperties() throws {
        let coordinator = try PersistentStoreCoordinator(
            model: ThingModel.make(),
            classes: ThingModel.classes
        )
        let context = ManagedObjectContext(coordinator: coordinator)
        let part = context.insert(Component.self)
        #expect(part.title == "a<&>\"\n'é" && part.count == -3 && part.weight == 1.25)
        #expect(part.big == 1_234_567_890 && part.`default` == nil && part.price == Decimal(1.2))
        part.count = 5
        part.weight = 2.5
        part.`default` = true
        part.when = nil
        let color = Color()
        part.color = color
        part.place = Point(x: 1.5)
        part.place?.span = Span(days: 7)
        part.link = URL(string: "https://example.org")
        let properties: [String: GraphValue] = [
            "count": 5, "weight": 2.5, "default": true, "when": nil,
            "place": .dictionary(["x": 1.5, "span": .dictionary(["days": 7])]),
        ]
        for (key, value) in properties { #expect(try part.value(forKey: key) == value) }
        #expect(part.color === color)
        #expect(part.link?.host() == "example.org")

        let whole = context.insert(Component.self)
        whole.$parts.insert(part)
        #expect(part.whole === whole && whole.parts == [part] && whole.$parts.count == 1)
        let first = context.insert(Component.self)
        whole.$parts.insert(first, at: 0)
        #expect(whole.parts == [first, part])
        whole.$parts.remove(part)
        #expect(part.whole == nil)
    }

    @Test func requestsAndPathsNameTheirProperties() throws {
        #expect(Component.fetchRequest().entityName == "Part")
        #expect(Thing.fetchRequest().entityName == "Thing")
        #expect(Component.key(\.weight) == "weight" && Component.key(\.title) == "title")
        #expect(Component.key(\.`default`) == "default" && Thing.key(\.parts) == "parts")
        #expect(Component.key(\.place.x) == "place.x")
        #expect(Component.key(\.place.span.days) == "place.span.days")
        let condition = Condition<Component> { $0.place.x > 1 }
        #expect(condition.predicate == (try FetchPredicate(format: "place.x > 1.0")))
    }
}
