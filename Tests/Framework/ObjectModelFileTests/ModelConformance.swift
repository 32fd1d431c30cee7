import CaseFiles
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

    /// Projects of which the cases have facts but no files.
    private static let withoutFiles = [
        "Simperium/simperium-ios": "its models are not among the files of the cases"
    ]

    @Test(.enabled(if: CaseFiles.has("model_facts.json"), "there is no model_facts.json"))
    func realModelsHaveTheKnownFacts() throws {
        var read = 0
        var failing: [String] = []
        let all = try JSONDecoder()
            .decode([Facts].self, from: CaseFiles.data("model_facts.json"))
        for facts in all {
            let repository = facts.repo.replacing("/", with: "+")
            if let reason = Self.withoutFiles[facts.repo],
                !CaseFiles.has("models/\(repository)")
            {
                print("deliberate deviation in model_facts.json: \(facts.path) (\(reason))")
                continue
            }
            read += 1
            do {
                let file = CaseFiles.folder.appending(path: "models/\(repository)/\(facts.path)")
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

    @Test(.enabled(if: CaseFiles.has("models"), "there is no folder of models"))
    func everyFileOfTheCasesIsReadOrRefusedClearly() throws {
        let folder = CaseFiles.folder.appending(path: "models")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        #expect(paths.contains { $0.hasSuffix(".xcdatamodel") })
        for path in paths where path.hasSuffix(".xcdatamodel") {
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
        for path in paths where path.hasSuffix(".xccurrentversion") {
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
            let text = expected.default ?? expected.dateDefault
            try same("default of \(place)", attribute.defaultValue, value(text, like: attribute))
            try same("rules of \(place)", Set(attribute.rules), rules(expected, of: attribute))
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

    /// The value that a text of the file is for an attribute of that type.
    private func value(_ text: String?, like attribute: AttributeDescription) throws -> GraphValue {
        guard let text else { return .null }
        switch (attribute.type, Double(text)) {
        case (.string, _): return .string(text)
        case (.boolean, _) where text == "YES" || text == "NO": return .bool(text == "YES")
        case (.integer16, _), (.integer32, _), (.integer64, _):
            if let number = Int64(text) { return .int(number) }
        case (.decimal, _):
            if let number = Decimal(string: text) { return .decimal(number) }
        case (.double, let number?), (.float, let number?): return .double(number)
        case (.date, let seconds?): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: break
        }
        throw Mismatch(description: "\(text) of \(attribute.type.editorName) is not mapped")
    }

    /// The rules that minimum, maximum and pattern of the file are.
    private func rules(
        _ facts: Facts.Attribute,
        of attribute: AttributeDescription
    ) throws -> Set<ValidationRule> {
        var rules: Set<ValidationRule> = []
        if let pattern = facts.regex { rules.insert(.pattern(pattern)) }
        if attribute.type == .string {
            if let text = facts.min { rules.insert(.minimumLength(try length(text))) }
            if let text = facts.max { rules.insert(.maximumLength(try length(text))) }
        } else {
            if let text = facts.min { rules.insert(.minimum(try value(text, like: attribute))) }
            if let text = facts.max { rules.insert(.maximum(try value(text, like: attribute))) }
        }
        return rules
    }

    private func length(_ text: String) throws -> Int {
        guard let length = Int(text) else { throw Mismatch(description: "a length \(text)") }
        return length
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
