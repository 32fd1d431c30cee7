extension ExchangeFormat {
    /// The format of a file to write or read by the end of its name, also before `.age`; JSON for a
    /// name without an extension.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat`, with the ends that are known.
    public init(file path: String) throws(InputError) {
        var name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".age") { name.removeLast(4) }
        let end = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        switch end {
        case "", ".json": self = name.hasSuffix(".task.json") ? .taskwarrior : .json
        case ".txt": self = name.hasSuffix("todo.txt") ? .todotxt : .text
        case ".md": self = .text
        default:
            throw InputError(
                .unknownFormat,
                "\(ShortID.shown(name)): no format has the extension \(ShortID.shown(String(end))); "
                    + "use .json, .task.json, todo.txt or .txt."
            )
        }
    }

    /// The format of a document to import, from its name and its beginning.
    ///
    /// JSON whose objects have a `description` is Taskwarrior's; what is not JSON is todo.txt.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat` if it is neither JSON nor named like text.
    public static func recognised(
        name: String,
        beginning: [UInt8]
    ) throws(InputError) -> ExchangeFormat {
        var bytes = beginning[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let first = bytes.first { $0 != 32 && !(9...13).contains($0) }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            let isJSON = try ExchangeFormat(file: name).isJSON && name.contains(".")
            return isJSON ? .json : .todotxt
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("\"description\"") && !text.contains("\"title\"")
            ? .taskwarrior : .json
    }

    /// The format as people call it.
    public var words: String {
        switch self {
        case .json: "Docket's JSON"
        case .taskwarrior: "Taskwarrior's JSON"
        case .todotxt: "todo.txt"
        case .text: "text"
        }
    }
}
