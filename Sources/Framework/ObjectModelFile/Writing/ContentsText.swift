/// The text of a `contents` file while it is written, in the editor's layout: four spaces a level,
/// one element a line, attributes in the given order.
struct ContentsText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private var depth = 0

    /// AttributeList in the order in which they are to be written; those without a value are left out.
    typealias AttributeList = [(name: String, value: String?)]

    /// Writes an element with the output of the body inside; the short form if there is none.
    mutating func element(
        _ name: String,
        _ attributes: AttributeList = [],
        _ body: (inout ContentsText) throws -> Void
    ) rethrows {
        text += String(repeating: " ", count: depth * 4) + "<" + name
        for case (let name, let value?) in attributes {
            text += " \(name)=\"\(ContentsText.escaped(value))\""
        }
        text += ">\n"
        let start = text.utf8.count
        depth += 1
        try body(&self)
        depth -= 1
        if text.utf8.count == start {
            text.removeLast(2)
            text += "/>\n"
        } else {
            text += String(repeating: " ", count: depth * 4) + "</\(name)>\n"
        }
    }

    /// Writes an element with nothing inside.
    mutating func element(_ name: String, _ attributes: AttributeList) {
        element(name, attributes) { _ in }
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        result.reserveCapacity(value.utf8.count)
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // As character references, because an XML reader turns them into spaces.
            case "\n": result += "&#10;"
            case "\r": result += "&#13;"
            case "\t": result += "&#9;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
