public import ObjectModel

/// One version of a model as a file holds it: the model, and what only the file knows.
///
/// What the model has no place for — the editor's version, positions in its diagram, attributes
/// newer than this reader — is kept and written back, so that a file changed here loses nothing
/// in Apple's editor.
public struct ModelFile {
    public var model: ManagedObjectModel
    /// The attributes of the `model` element, such as `sourceLanguage`, without the version
    /// identifier, which is the model's.
    public var header: [String: String]
    /// What was wrong or unknown in the file; a model with errors among them cannot be relied on.
    public var issues: [ModelIssue] = []

    /// AttributeList that the model does not know, by ``ModelPlace``.
    package var extras: [ModelPlace: [String: String]] = [:]
    /// Predicates as the file spells them.
    package var predicateTexts: [ModelPlace: PredicateText] = [:]
    /// `compoundIndexes` of old files, which mean nothing any more, by entity.
    package var compoundIndexes: [String: [[String]]] = [:]
    /// AttributeList of the diagram's elements, by entity.
    package var layout: [String: [String: String]] = [:]

    /// A file for a model made in code.
    public init(_ model: ManagedObjectModel) {
        self.model = model
        self.header = ModelFile.newHeader
    }

    /// The header of a new file.
    public static var newHeader: [String: String] {
        [
            "type": "com.apple.IDECoreDataModeler.DataModel",
            "documentVersion": "1.0",
            "lastSavedToolsVersion": "22758",
            "systemVersion": "23F79",
            "minimumToolsVersion": "Automatic",
            "sourceLanguage": "Swift",
        ]
    }

    /// What is wrong in the file and in the model, errors first.
    public func check() -> [ModelIssue] {
        let all = issues + model.check()
        return all.filter(\.isError) + all.filter { !$0.isError }
    }
}

/// Where in a model file something stands, for messages and to find it again.
package struct ModelPlace: Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }

    package static func entity(_ name: String) -> ModelPlace { ModelPlace(name) }

    package static func property(_ name: String, of owner: String) -> ModelPlace {
        ModelPlace("\(owner).\(name)")
    }

    package static func composite(_ name: String) -> ModelPlace { ModelPlace("composite \(name)") }

    package static func request(_ name: String) -> ModelPlace {
        ModelPlace("fetch request \(name)")
    }

    package static func configuration(_ name: String) -> ModelPlace {
        ModelPlace("configuration \(name)")
    }

    package static func index(_ name: String, of entity: String) -> ModelPlace {
        ModelPlace("\(entity), index \(name)")
    }

    package static func indexElement(_ number: Int, of index: ModelPlace) -> ModelPlace {
        ModelPlace("\(index), element \(number + 1)")
    }

    package static func request(ofFetchedProperty name: String, of entity: String) -> ModelPlace {
        ModelPlace("\(entity).\(name), fetch request")
    }
}

/// A predicate as a file spells it, with the tree that was read from it.
package struct PredicateText: Hashable {
    package var text: String
    /// What the text was read as; it is written back while the model still has this predicate.
    package var predicate: FetchPredicate
}
