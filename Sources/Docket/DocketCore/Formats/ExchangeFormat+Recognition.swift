extension ExchangeFormat {
    /// The format of a document to import, from its name and its beginning.
    ///
    /// JSON whose objects have a `description` is Taskwarrior's; what is not JSON is todo.txt.
    package static func recognised(name: String, beginning: [UInt8]) -> ExchangeFormat {
        var bytes = beginning[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let first = bytes.first { $0 != 32 && !(9...13).contains($0) }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            return name.lowercased().hasSuffix("json") ? .json : .todotxt
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("\"description\"") && !text.contains("\"title\"")
            ? .taskwarrior : .json
    }

    /// The format as people call it.
    package var words: String {
        switch self {
        case .json: "Docket's JSON"
        case .taskwarrior: "Taskwarrior's JSON"
        case .todotxt: "todo.txt"
        case .text: "text"
        }
    }
}
