import Foundation
import FoundationXML
import ObjectModel

/// One element of a `contents` file, with its line for messages.
struct ContentsElement {
    let name: String
    let line: Int
    private(set) var attributes: [String: String]
    fileprivate(set) var children: [ContentsElement] = []

    fileprivate init(name: String, line: Int, attributes: [String: String]) {
        self.name = name
        self.line = line
        self.attributes = attributes
    }

    /// Removes an attribute; the attributes that remain at the end are unknown ones.
    mutating func take(_ name: String) -> String? {
        attributes.removeValue(forKey: name)
    }

    mutating func takeFlag(_ name: String) -> Bool {
        take(name) == "YES"
    }
}

/// Reads the elements of a file.
///
/// - Throws: `ObjectGraphError` with file and line if the text is not well-formed XML.
func readElements(_ data: Data, file: String) throws -> ContentsElement {
    let builder = ElementBuilder()
    let parser = XMLParser(data: data)
    parser.delegate = builder
    guard parser.parse(), let root = builder.root else {
        let line = max(parser.lineNumber, 1)
        throw ObjectGraphError(
            .damagedFile,
            "\(file):\(line): this is not well-formed XML.",
            recovery: "Restore the file, or correct it at that line.",
            underlying: parser.parserError.map { [$0] } ?? []
        )
    }
    return root
}

private final class ElementBuilder: NSObject, XMLParserDelegate {
    private var open: [ContentsElement] = []
    var root: ContentsElement?

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        open.append(
            ContentsElement(name: elementName, line: parser.lineNumber, attributes: attributes)
        )
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
