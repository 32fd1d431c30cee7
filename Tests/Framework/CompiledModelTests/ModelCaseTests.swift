import CaseFiles
import CompiledModel
import CompiledModelMaking
import Foundation
import ObjectModel
import ObjectModelFile
import Testing

/// Models of many programs, compiled and read again.
@Suite(.enabled(if: CaseFiles.has("models"), "there is no folder with cases (DOCKET_CASES)"))
struct ModelCaseTests {
    @Test func everyModelComesBackAsItWas() throws {
        let folder = CaseFiles.folder.appending(path: "models")
        var count = 0
        for path in try ModelPackage.models(inFolder: folder.path) {
            // Old binary models are not read.
            guard let package = try? ModelPackage(contentsOf: path) else { continue }
            for (name, file) in package.versions {
                let before = file.model
                if before.entities.isEmpty || before.check().contains(where: \.isError) { continue }
                count += 1
                let after = try CompiledModel(ArchiveMaker.data(of: before)).model()
                strip(before)
                strip(after)
                #expect(
                    after.differences(from: before).isEmpty,
                    "\(path) \(name): \(after.differences(from: before).prefix(3))"
                )
            }
        }
        #expect(count > 60)
    }

    /// Removes what a compiled model has no form for here.
    private func strip(_ model: ManagedObjectModel) {
        model.fetchRequestTemplates = [:]
        model.composites = [:]
        for entity in model.entities {
            entity.indexes.removeAll { $0.partialPredicate != nil }
            for index in entity.indexes.indices {
                entity.indexes[index].elements.removeAll(where: \.isExpression)
            }
            entity.indexes.removeAll { $0.elements.isEmpty }
            entity.displayNameExpression = nil
            entity.codeGenerationType = nil
            for property in entity.ownProperties {
                property.isSearched = false
                if property is FetchedPropertyDescription {
                    entity.removeProperty(named: property.name)
                }
                if let attribute = property as? AttributeDescription {
                    if attribute.type == .composite {
                        entity.removeProperty(named: attribute.name)
                    }
                    attribute.rules = []
                    attribute.usesScalarType = false
                    if attribute.type != .transformable { attribute.valueClassName = nil }
                }
                if let list = property as? RelationshipDescription, list.maxCount > Int32.max {
                    list.maxCount = 0
                }
            }
        }
    }
}
