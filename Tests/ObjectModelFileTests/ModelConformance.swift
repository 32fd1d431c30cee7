import Foundation
import ObjectModel
import ObjectModelFile
import Testing

/// Reads real models, compares them with the facts known of each, and writes them again.
@Suite struct ModelConformance {
    private struct Facts: Decodable {
        struct Entity: Decodable {
            let name: String
            let cls: String?
            let abstract: Bool
            let parent: String?
            let renamingID: String?
            let attributes: [Attribute]
            let relationships: [Relationship]
            let fetchedProperties: [String]
            let uniqueness: [[String]]
            let fetchIndexes: [String]
            let userInfo: [String: String]
        }

        struct Attribute: Decodable {
            let name: String
            let type: String
            let optional: Bool
            let transient: Bool
            let renamingID: String?
            let transformer: String?
            let derivation: String?
            let `default`: String?
            let min: String?
            let max: String?
            let regex: String?
            let dateDefault: String?

            /// How many of minimum, maximum and pattern the file gives.
            var ruleCount: Int { [min, max, regex].count { $0 != nil } }
        }

        struct Relationship: Decodable {
            let name: String
            let to: String
            let inverse: String?
            let toMany: Bool
            let ordered: Bool
            let optional: Bool
            let minCount: String?
            let maxCount: String?
            let deletionRule: String
            let renamingID: String?
        }

        let repo: String
        let path: String
        let identifier: String
        let entities: Int
        let attributes: Int
        let relationships: Int
        let detail: [Entity]
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    @Test func realModelsHaveTheKnownFacts() throws {
        guard let folder = casesFolder(),
            let data = try? Data(contentsOf: folder.appending(path: "model_facts.json"))
        else {
            print("conformance model_facts.json skipped: no cases folder (set DOCKET_CASES)")
            return
        }
        var read = 0
        var failing: [String] = []
        for facts in try JSONDecoder().decode([Facts].self, from: data) {
            let repository = facts.repo.replacing("/", with: "+")
            let file = folder.appending(path: "models/\(repository)/\(facts.path)")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            read += 1
            do {
                let version = try ModelPackage(contentsOf: file.path).current
                try compare(version, facts)
                try compareRewritten(version, facts)
            } catch {
                failing.append(facts.path)
                Issue.record("\(facts.repo) \(facts.path): \(error)")
            }
        }
        let list = failing.isEmpty ? "none" : failing.joined(separator: ", ")
        print("conformance model_facts.json \(read - failing.count)/\(read) failing: \(list)")
        #expect(read > 0)
    }

    @Test func everyFileOfTheCasesIsReadOrRefusedClearly() throws {
        guard let folder = casesFolder()?.appending(path: "models"),
            let walk = FileManager.default.enumerator(atPath: folder.path)
        else {
            print("conformance models skipped: no cases folder (set DOCKET_CASES)")
            return
        }
        for case let path as String in walk where path.hasSuffix(".xcdatamodel") {
            let version = folder.appending(path: path)
            let isOld = !FileManager.default.fileExists(
                atPath: version.appending(path: "contents").path
            )
            if isOld {
                let error = #expect(throws: ObjectGraphError.self) {
                    try ModelPackage(contentsOf: version.path)
                }
                #expect(error?.description.contains("binary form") == true)
            } else {
                let file = try ModelPackage(contentsOf: version.path).current
                #expect(file.issues.isEmpty, "\(path)")
            }
        }
        for case let path as String in FileManager.default.enumerator(atPath: folder.path)
            ?? .init()
        where path.hasSuffix(".xccurrentversion") {
            let package = folder.appending(path: path).deletingLastPathComponent()
            let old = try FileManager.default.subpathsOfDirectory(atPath: package.path)
                .contains { $0.hasSuffix("elements") }
            if !old {
                let read = try ModelPackage(contentsOf: package.path)
                #expect(read.versions[read.currentName] != nil, "\(path)")
                #expect(read.issues.filter(\.isError).isEmpty, "\(path)")
            }
        }
    }

    private func same<T: Equatable>(_ what: String, _ found: T, _ expected: T) throws {
        if found != expected {
            throw Mismatch(description: "\(what) is \(found), expected \(expected)")
        }
    }

    private func compare(_ file: ModelFile, _ facts: Facts) throws {
        let model = file.model
        try same("entities", model.entities.count, facts.entities)
        let properties = model.entities.flatMap(\.ownProperties)
        try same(
            "attributes",
            properties.count { $0 is AttributeDescription },
            facts.attributes
        )
        try same(
            "relationships",
            properties.count { $0 is RelationshipDescription },
            facts.relationships
        )
        try same(
            "identifier",
            model.versionIdentifiers,
            facts.identifier.isEmpty ? [] : [facts.identifier]
        )
        for expected in facts.detail {
            guard let entity = model.entity(named: expected.name) else {
                throw Mismatch(description: "no entity \(expected.name)")
            }
            try compare(entity, expected)
        }
    }

    private func compare(_ entity: EntityDescription, _ expected: Facts.Entity) throws {
        let base: Set<String?> = [nil, "", "NSManagedObject"]
        let name = base.contains(expected.cls) ? "ManagedObject" : expected.cls ?? ""
        try same("class of \(entity.name)", entity.className, name)
        try same("abstract", entity.isAbstract, expected.abstract)
        try same("parent", entity.superentityName, expected.parent)
        try same("renaming", entity.renamingIdentifier, expected.renamingID)
        try same("user info", entity.userInfo, expected.userInfo)
        try same("uniqueness", entity.uniquenessConstraints, expected.uniqueness)
        try same("indexes", entity.indexes.map(\.name), expected.fetchIndexes)
        var found: [String: PropertyDescription] = [:]
        for property in entity.ownProperties { found[property.name] = property }
        for name in expected.fetchedProperties {
            try same("fetched \(name)", found[name] is FetchedPropertyDescription, true)
        }
        for expected in expected.attributes {
            guard let attribute = found[expected.name] as? AttributeDescription else {
                throw Mismatch(description: "no attribute \(expected.name)")
            }
            let place = "\(entity.name).\(expected.name)"
            try same("type of \(place)", attribute.type.editorName, expected.type)
            try same("optional \(place)", attribute.isOptional, expected.optional)
            try same("transient \(place)", attribute.isTransient, expected.transient)
            try same("renaming \(place)", attribute.renamingIdentifier, expected.renamingID)
            try same("transformer \(place)", attribute.valueTransformerName, expected.transformer)
            try same("derivation \(place)", attribute.derivation, expected.derivation)
            let hasDefault = expected.default != nil || expected.dateDefault != nil
            try same("default of \(place)", !attribute.defaultValue.isNull, hasDefault)
            try same("rules of \(place)", attribute.rules.count, expected.ruleCount)
        }
        for expected in expected.relationships {
            guard let relationship = found[expected.name] as? RelationshipDescription else {
                throw Mismatch(description: "no relationship \(expected.name)")
            }
            let place = "\(entity.name).\(expected.name)"
            try same("destination of \(place)", relationship.destinationName, expected.to)
            try same("inverse of \(place)", relationship.inverseName, expected.inverse)
            try same("optional \(place)", relationship.isOptional, expected.optional)
            try same("ordered \(place)", relationship.isOrdered, expected.ordered)
            try same("to-many \(place)", relationship.isToMany, expected.toMany)
            try same("rule of \(place)", relationship.deleteRule.editorName, expected.deletionRule)
            try same("renaming \(place)", relationship.renamingIdentifier, expected.renamingID)
            let minimum = Int(expected.minCount ?? "0")
            try same("minimum of \(place)", relationship.minCount, minimum)
            let maximum = expected.maxCount.flatMap { Int($0) } ?? (expected.toMany ? 0 : 1)
            try same("maximum of \(place)", relationship.maxCount, maximum)
        }
    }

    private func compareRewritten(_ file: ModelFile, _ facts: Facts) throws {
        let text = try file.contents()
        try withTemporaryFolder { folder in
            let copy = folder.appending(path: "contents")
            try Data(text.utf8).write(to: copy)
            let again = try ModelPackage(contentsOf: copy.path).current
            try same("differences", again.model.differences(from: file.model), [])
            try same("header", again.header, file.header)
            try same("second writing", try again.contents(), text)
        }
    }
}
