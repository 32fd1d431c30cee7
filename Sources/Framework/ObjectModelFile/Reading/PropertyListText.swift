package import FoundationEssentials
import ObjectModel
import XMLReading

/// Reads one text of a property list, in XML or binary, that anybody may have written.
package enum PropertyListText {
    /// The text that the dictionary at the top has for a key.
    ///
    /// - Parameters:
    ///   - key: the key; the first one of its name counts.
    ///   - data: the property list.
    /// - Returns: the text; `nil` if the dictionary does not have the key.
    /// - Throws: an error if the data are not a property list with a dictionary, or if the value is
    ///   not a text.
    /// - Complexity: O(bytes).
    package static func value(_ key: String, in data: Data) throws -> String? {
        if data.starts(with: BinaryPropertyList.magic) {
            guard case .dictionary(let members) = try GraphValue(propertyList: data) else {
                throw PropertyListProblem("it is not a dictionary")
            }
            guard let value = members[key] else { return nil }
            guard case .string(let text) = value else {
                throw PropertyListProblem("the value of \"\(key)\" is not a text")
            }
            return text
        }
        let search = TextSearch(key)
        try XMLReader.read(data, search)
        return try search.result()
    }
}

/// Looks for the text behind a key, in the dictionary of an XML property list.
private final class TextSearch: XMLHandler {
    private let key: String
    private var path: [String] = []
    private var text: [UInt8] = []
    private var isDictionary = false
    private var isNext = false
    private var found: String?
    private var isOther = false

    init(_ key: String) { self.key = key }

    func result() throws -> String? {
        guard isDictionary else { throw PropertyListProblem("it is not a dictionary") }
        if isOther { throw PropertyListProblem("the value of \"\(key)\" is not a text") }
        return found
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
        path.append(name.string)
        text.removeAll(keepingCapacity: true)
        if path == ["plist", "dict"] { isDictionary = true }
        if path.count == 3, isNext, !(name == "string") {
            isNext = false
            isOther = true
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws {
        if path.count == 3 { text.append(contentsOf: bytes) }
    }

    func end(_ name: XMLName) throws {
        defer { path.removeLast() }
        guard path.count == 3, path[0] == "plist", path[1] == "dict" else { return }
        let content = String(decoding: text, as: UTF8.self)
        if name == "key" {
            isNext = content == key && found == nil && !isOther
        } else if isNext {
            found = content
            isNext = false
        }
    }
}
