/// A format for import and export.
///
/// Each is a row of `ExchangeFormat+Table.swift`, from which come the options, texts and errors of
/// import and export, and how a file is recognised. The documentation of a format's reader and
/// writer has its rules and its table of fields.
public struct ExchangeFormat: CaseIterable, Sendable {
    /// The value of `--format`, and the name of its fields in ``ForeignFields``.
    public let name: String
    /// Other values of `--format`, in lower case.
    let aliases: [String]
    /// How people call it, after "as" or "a file:".
    public let words: String
    /// The ends of the names of its files, in lower case; texts name the first.
    let endings: [String]
    /// Whether an export has everything.
    public let isLossless: Bool
    /// Whether a document is a list of JSON objects.
    public let isJSON: Bool
    /// Whether an item keeps its text of the document, so that it is written as it was.
    public let keepsText: Bool
    /// Whether a document begins like one of this format.
    let recognises: @Sendable (_ beginning: String) -> Bool
    private let makeReader: (@Sendable (ByteSource, ExchangeSettings) -> any RecordReader)?
    private let makeWriter: @Sendable (ExchangeSettings) -> any RecordWriter

    /// A row of the table; `reader` is `nil` for a format that is only written.
    init(
        _ name: String,
        aliases: [String] = [],
        words: String,
        endings: [String],
        isLossless: Bool = false,
        isJSON: Bool = false,
        keepsText: Bool = false,
        recognises: @escaping @Sendable (_ beginning: String) -> Bool = { _ in false },
        reader: (@Sendable (ByteSource, ExchangeSettings) -> any RecordReader)? = nil,
        writer: @escaping @Sendable (ExchangeSettings) -> any RecordWriter
    ) {
        self.name = name
        self.aliases = aliases
        self.words = words
        self.endings = endings
        self.isLossless = isLossless
        self.isJSON = isJSON
        self.keepsText = keepsText
        self.recognises = recognises
        makeReader = reader
        makeWriter = writer
    }

    /// Why it cannot be imported; `nil` if it can.
    public var refusal: String? {
        if makeReader != nil { return nil }
        let known = ExchangeFormat.imported.map(\.name).listed("and")
        return "The format \(name) cannot be imported; the formats are \(known)."
    }

    /// The end of a file's name by which an export selects the format.
    public var ending: String { endings[0] }

    /// A reader of this format.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat` for a format that is only written.
    public func reader(
        of source: ByteSource,
        settings: ExchangeSettings
    ) throws(InputError) -> any RecordReader {
        guard let makeReader else { throw InputError(.unknownFormat, "\(refusal ?? "")") }
        return makeReader(source, settings)
    }

    /// A reader of a document in memory.
    public func reader(
        of bytes: [UInt8],
        settings: ExchangeSettings
    ) throws(InputError) -> any RecordReader {
        try reader(of: ByteSource(bytes), settings: settings)
    }

    public func writer(settings: ExchangeSettings) -> any RecordWriter { makeWriter(settings) }
}

extension ExchangeFormat: Hashable {
    public static func == (left: ExchangeFormat, right: ExchangeFormat) -> Bool {
        left.name == right.name
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// Which format is meant.
extension ExchangeFormat {
    /// The formats that can be imported.
    public static var imported: [ExchangeFormat] { allCases.filter { $0.makeReader != nil } }

    /// The format with a name of an option.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat`, with the existing names.
    public init(name: String) throws(InputError) {
        let wanted = name.lowercased()
        guard
            let format = ExchangeFormat.allCases.first(where: {
                $0.name == wanted || $0.aliases.contains(wanted)
            })
        else {
            let known = ExchangeFormat.allCases.map(\.name).joined(separator: ", ")
            throw InputError(
                .unknownFormat,
                "“\(ShortID.shown(name))” is not a format; the formats are \(known)."
            )
        }
        self = format
    }

    /// The format of a file to write or read by the end of its name, also before `.age`; JSON for a
    /// name without an extension.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat`, with the ends that are known.
    public init(file path: String) throws(InputError) {
        self = try ExchangeFormat.named(path) ?? .json
    }

    /// The format of a document to import: the one that recognises its beginning, else that of its
    /// name, else todo.txt.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat` for an unknown content in a file whose name
    ///   has an unknown extension.
    public static func recognised(
        name: String,
        beginning: [UInt8]
    ) throws(InputError) -> ExchangeFormat {
        let text = text(of: beginning)
        // Markdown and org can each have lines of the other.
        if let format = try? named(name), !format.isJSON, format.recognises(text) { return format }
        if let format = allCases.last(where: { $0.recognises(text) }) { return format }
        guard let format = try named(name), format.makeReader != nil else { return otherwise }
        return format
    }

    /// The beginning of a document as text, without a mark of its encoding and blanks before it.
    static func text(of beginning: [UInt8]) -> String {
        var bytes = beginning[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        return String(
            decoding: bytes.drop { $0 == 32 || (9...13).contains($0) },
            as: UTF8.self
        )
    }

    /// The format with the longest end of a file's name; `nil` for a name without an extension.
    private static func named(_ path: String) throws(InputError) -> ExchangeFormat? {
        var name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".age") { name.removeLast(4) }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        var found: (format: ExchangeFormat, length: Int)?
        for format in allCases {
            for end in format.endings where name.hasSuffix(end) && end.count > found?.length ?? 0 {
                found = (format, end.count)
            }
        }
        if let found { return found.format }
        throw InputError(
            .unknownFormat,
            "\(ShortID.shown(name)): no format has the extension "
                + "\(ShortID.shown(String(name[dot...]))); use \(allCases.map(\.ending).listed("or"))."
        )
    }
}

extension [String] {
    /// The texts with commas, and a word before the last one: `a, b or c`.
    public func listed(_ word: String) -> String {
        count < 2
            ? joined() : "\(dropLast().joined(separator: ", ")) \(word) \(self[count - 1])"
    }
}
