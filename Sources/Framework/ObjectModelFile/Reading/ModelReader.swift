import FoundationEssentials
import ObjectModel

/// Builds a ``ModelFile`` from the elements of a `contents` file.
///
/// The known attributes of each element are removed one by one; the rest is kept as an extra. A
/// part that cannot be understood becomes an issue with its line, and reading continues. Only a
/// file that is not a model, or an element without its name, ends it.
struct ModelReader {
    let file: String
    var result = ModelFile(ManagedObjectModel())

    init(file: String) { self.file = file }

    /// Reads the data of a `contents` file.
    ///
    /// - Throws: `ObjectGraphError` if the data are not a model file.
    static func read(_ data: Data, file: String) throws -> ModelFile {
        let root = try readElements(data, file: file)
        guard root.name == "model" else {
            throw ObjectGraphError(
                .damagedFile,
                "\(file):\(root.line): the root element is \"\(root.name)\", not \"model\".",
                recovery: "Give the contents file of a data model."
            )
        }
        var reader = ModelReader(file: file)
        try reader.readModel(root)
        return reader.result
    }

    private mutating func readModel(_ element: ContentsElement) throws {
        var element = element
        if let identifier = element.take("userDefinedModelVersionIdentifier"), !identifier.isEmpty {
            result.model.versionIdentifiers = [identifier]
        }
        result.header = element.attributes
        for child in element.children {
            switch child.name {
            case "entity": try readEntity(child)
            case "fetchRequest": try readTemplate(child)
            case "configuration": try readConfiguration(child)
            case "composite": try readComposite(child)
            case "elements":
                for frame in child.children {
                    var frame = frame
                    result.layout[try name(of: &frame)] = frame.attributes
                }
            default: reportUnknown(child, in: ModelPlace("model"))
            }
        }
    }

    private mutating func readTemplate(_ element: ContentsElement) throws {
        var element = element
        let name = try name(of: &element)
        let request = readRequest(element, at: .request(name))
        result.model.fetchRequestTemplates[name] = request
    }

    private mutating func readConfiguration(_ element: ContentsElement) throws {
        var element = element
        let name = try name(of: &element)
        keep(element, at: .configuration(name))
        var members: [String] = []
        for child in element.children {
            guard child.name == "memberEntity" else {
                reportUnknown(child, in: .configuration(name))
                continue
            }
            var child = child
            members.append(try self.name(of: &child))
        }
        result.model.configurations[name] = members
    }

    private mutating func readComposite(_ element: ContentsElement) throws {
        var element = element
        let name = try name(of: &element)
        keep(element, at: .composite(name))
        var attributes: [AttributeDescription] = []
        for child in element.children {
            guard child.name == "attribute" else {
                reportUnknown(child, in: .composite(name))
                continue
            }
            attributes.append(try readAttribute(child, of: ModelPlace.composite(name).description))
        }
        result.model.composites[name] = attributes
    }

    // MARK: - Shared

    func name(of element: inout ContentsElement) throws -> String {
        guard let name = element.take("name"), !name.isEmpty else {
            throw ObjectGraphError(
                .damagedFile,
                "\(file):\(element.line): \"\(element.name)\" has no name.",
                recovery: "Give it the attribute name."
            )
        }
        return name
    }

    func readUserInfo(_ element: ContentsElement) -> [String: String] {
        var entries: [String: String] = [:]
        for var entry in element.children where entry.name == "entry" {
            if let key = entry.take("key") { entries[key] = entry.take("value") ?? "" }
        }
        return entries
    }

    /// Keeps the unknown parts of an element.
    mutating func keep(_ element: ContentsElement, at place: ModelPlace) {
        if !element.attributes.isEmpty { result.extras[place] = element.attributes }
    }

    mutating func report(
        _ element: ContentsElement,
        _ place: ModelPlace,
        _ message: String,
        _ recovery: String,
        isError: Bool = true
    ) {
        result.issues.append(
            ModelIssue(
                isError: isError,
                place: "\(file):\(element.line): \(place)",
                message: message,
                recovery: recovery
            )
        )
    }

    mutating func reportUnknown(_ element: ContentsElement, in place: ModelPlace) {
        report(
            element,
            place,
            "The element \"\(element.name)\" is not known and was left out.",
            "Check its spelling; keep a copy of the file before writing it.",
            isError: false
        )
    }

    /// The tree of a predicate; if the text is invalid, an issue and a predicate that selects
    /// nothing.
    mutating func readPredicate(
        _ text: String,
        _ element: ContentsElement,
        _ place: ModelPlace
    ) -> FetchPredicate {
        let predicate: FetchPredicate
        do {
            predicate = try FetchPredicate(format: text)
        } catch {
            predicate = .constant(false)
            let reason = (error as? ObjectGraphError)?.description ?? "\(error)"
            report(
                element,
                place,
                "The predicate cannot be read: \(reason)",
                "Correct the predicate."
            )
        }
        result.predicateTexts[place] = PredicateText(text: text, predicate: predicate)
        return predicate
    }
}
