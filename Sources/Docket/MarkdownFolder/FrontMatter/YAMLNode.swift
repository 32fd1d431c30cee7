/// A value of YAML with the place that it has in the text.
struct YAMLNode {
    enum Content {
        /// Also of numbers, dates and the like: their text, which is what documents are shown by.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        case map([YAMLEntry])
    }

    var content: Content
    /// The bytes of the value without its anchor and tag; empty at the place of a value that is not
    /// written.
    var range: Range<Int>
    /// The name that other values may refer to it by.
    var anchor: String?

    /// Its text; `nil` for a list, a map, or what YAML reads as nothing, such as `~`.
    var text: String? {
        guard case .scalar(let text, let isPlain) = content else { return nil }
        return isPlain && ["", "~", "null", "Null", "NULL"].contains(text) ? nil : text
    }
}

/// A key of a map with its value.
struct YAMLEntry {
    var key: String
    /// The bytes of the key.
    var keyRange: Range<Int>
    var value: YAMLNode
    /// Behind the last byte of the value, or of the colon.
    var end: Int
}

/// Why a text is not YAML.
struct YAMLProblem: Error, Equatable {
    var line: Int
    var message: String
}

extension YAMLNode: Equatable {
    /// Whether two values are the same, wherever they are.
    static func == (one: YAMLNode, other: YAMLNode) -> Bool {
        switch (one.content, other.content) {
        case (.scalar(let text, let isPlain), .scalar(let otherText, let isOtherPlain)):
            text.utf8.elementsEqual(otherText.utf8)
                && (isPlain == isOtherPlain || one.text == other.text)
        case (.list(let nodes), .list(let others)): nodes == others
        case (.map(let entries), .map(let others)):
            entries.count == others.count
                && zip(entries, others).allSatisfy {
                    $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
                }
        default: false
        }
    }
}
