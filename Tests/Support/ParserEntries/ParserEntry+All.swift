extension ParserEntry {
    /// Every parser of what Docket and the framework did not write themselves.
    public static let all: [ParserEntry] =
        models + lists + stores + exchange + texts + secrets + pictures

    /// The parser of a name.
    public static func named(_ name: String) -> ParserEntry? { all.first { $0.name == name } }
}
