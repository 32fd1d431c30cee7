import ObjectModel

extension ModelReader {
    /// Reads a fetch request whose name has been read already.
    mutating func readRequest(_ element: ContentsElement, at place: ModelPlace) -> FetchDescription
    {
        var element = element
        var request = FetchDescription(entityName: element.take("entity") ?? "")
        if request.entityName.isEmpty {
            report(element, place, "The request names no entity.", "Name one.")
        }
        if let text = element.take("predicateString"), !text.isEmpty {
            request.predicate = readPredicate(text, element, place)
        }
        request.limit = readNumber(&element, "fetchLimit", place)
        request.batchSize = readNumber(&element, "fetchBatchSize", place)
        if let text = element.take("resultType") {
            if let type = FetchDescription.ResultType(editorCode: text) {
                request.resultType = type
            } else {
                report(
                    element,
                    place,
                    "The result type \"\(text)\" is not known.",
                    "Use 0 (objects), 1 (IDs), 2 (dictionaries) or 4 (count)."
                )
            }
        }
        for (key, path) in FetchDescription.editorFlags {
            if let text = element.take(key) { request[keyPath: path] = text == "YES" }
        }
        if !element.attributes.isEmpty {
            result.extras[place, default: [:]].merge(element.attributes) { first, _ in first }
        }
        return request
    }

    private mutating func readNumber(
        _ element: inout ContentsElement,
        _ key: String,
        _ place: ModelPlace
    ) -> Int {
        guard let text = element.take(key) else { return 0 }
        if let number = Int(text), number >= 0 { return number }
        report(element, place, "\(key) is \"\(text)\".", "Give a whole number.")
        return 0
    }
}

extension FetchDescription {
    /// The flags of a request under their names in the editor's files, in the order written.
    static var editorFlags: [(String, WritableKeyPath<FetchDescription, Bool>)] {
        [
            ("includesSubentities", \.includesSubentities),
            ("returnsObjectsAsFaults", \.returnsObjectsAsFaults),
            ("includesPropertyValues", \.includesPropertyValues),
            ("returnDistinctResults", \.returnsDistinctResults),
            ("includesPendingChanges", \.includesPendingChanges),
        ]
    }
}

extension FetchDescription.ResultType {
    /// The number of the type in the editor's files.
    var editorCode: String {
        switch self {
        case .objects: "0"
        case .objectIDs: "1"
        case .dictionaries: "2"
        case .count: "4"
        }
    }

    init?(editorCode: String) {
        switch editorCode {
        case "0": self = .objects
        case "1": self = .objectIDs
        case "2": self = .dictionaries
        case "4": self = .count
        default: return nil
        }
    }
}
