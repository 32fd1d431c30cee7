import FoundationEssentials
import ObjectModel
import XMLReading

/// One element of a `contents` file, with its line for messages.
struct ContentsElement {
    let name: String
    let line: Int
    private(set) var attributes: [String: String]
    fileprivate(set) var children: [ContentsElement] = []

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
    do {
        try XMLReader.read(data, builder)
        if let root = builder.root { return root }
        throw unreadable(file, line: 1)
    } catch let failure as XMLFailure {
        throw unreadable(file, line: failure.line, failure)
    }
}

private func unreadable(
    _ file: String,
    line: Int,
    _ failure: XMLFailure? = nil
) -> ObjectGraphError {
    ObjectGraphError(
        .damagedFile,
        "\(file):\(max(line, 1)): this is not well-formed XML.",
        recovery: "Restore the file, or correct it at that line.",
        underlying: failure.map { [$0] } ?? []
    )
}

private final class ElementBuilder: XMLHandler {
    private var open: [ContentsElement] = []
    private(set) var root: ContentsElement?

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
        open.append(
            ContentsElement(
                name: name.string,
                line: attributes.line,
                attributes: Dictionary(attributes.all.map { ($0.name, $0.value) }) { $1 }
            )
        )
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws {}

    func end(_ name: XMLName) throws {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
