package import FoundationEssentials
public import ObjectModel

/// One version of a model in a file: the model, and the data that only the file has.
///
/// The model has no place for the editor's version, positions in its diagram, and attributes newer
/// than this reader. They are kept and written back, so that a file changed here loses nothing in
/// Apple's editor.
public struct ModelFile {
    public var model: ManagedObjectModel
    /// The attributes of the `model` element, such as `sourceLanguage`, without the version
    /// identifier, which is the model's.
    public var header: [String: String]
    /// Errors and unknown parts of the file; do not rely on a model with errors among them.
    public var issues: [ModelIssue] = []

    /// The properties of which ``issues`` says that they cannot be read; what the model lacks of them
    /// is no news.
    var unreadable: Set<ModelPlace> = []
    /// AttributeList that the model does not know, by ``ModelPlace``.
    package var extras: [ModelPlace: [String: String]] = [:]
    /// Predicates as the file spells them.
    package var predicateTexts: [ModelPlace: PredicateText] = [:]
    /// `compoundIndexes` of old files, by entity; they have no effect any more.
    package var compoundIndexes: [String: [[String]]] = [:]
    /// AttributeList of the diagram's elements, by entity.
    package var layout: [String: [String: String]] = [:]

    /// A file for a model that was made in code.
    public init(_ model: ManagedObjectModel) {
        self.model = model
        self.header = ModelFile.newHeader
    }

    /// Reads the data of a `contents` file.
    ///
    /// - Parameters:
    ///   - data: the content.
    ///   - name: the file's name, for messages.
    /// - Throws: `ObjectGraphError` with the file and the line if the data are not a model file.
    package init(contents data: Data, name: String) throws {
        self = try ModelReader.read(data, file: name)
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

    /// The issues of the file and of the model, errors first.
    ///
    /// - Complexity: one pass over the model.
    public func check() -> [ModelIssue] {
        let all =
            issues + model.check().filter { !unreadable.contains(ModelPlace($0.place)) }
        return all.filter(\.isError) + all.filter { !$0.isError }
    }
}

/// A place in a model file, for messages and as a key.
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

/// A predicate with its spelling in the file, and the tree that was read from it.
package struct PredicateText: Hashable {
    package var text: String
    /// The predicate that was read from the text; the text is written back while the model still
    /// has this predicate.
    package var predicate: FetchPredicate
}
