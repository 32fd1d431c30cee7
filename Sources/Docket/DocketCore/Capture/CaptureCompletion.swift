import DocketFormats
public import ObjectGraph

/// What can complete the mark of a new item that is being typed: `+Ho`, `#ph`, `@Ba`, `[[Pay`.
public struct CaptureCompletion: Hashable {
    /// The mark so far, in bytes of the text.
    public let range: Range<Int>
    /// What takes its place, with its sign; the best first, not empty.
    public let candidates: [String]
    /// The same as arguments of a shell, which keeps names with blanks together without the quotes of
    /// capture: `+Big garden`; see ``Library/written(_:)``.
    public let arguments: [String]

    /// How many open items a list or a tag among the candidates has, if that is known.
    public let uses: [Int?]

    /// How many candidates a line offers.
    public static let most = 6

    /// `nil` if nothing completes a mark that ends at the cursor.
    ///
    /// - Parameters:
    ///   - text: the text so far.
    ///   - cursor: the place of the cursor, in bytes.
    ///   - names: the lists, tags and locations.
    ///   - uses: how many items a list or a tag has; the most used ones are the best.
    ///   - titles: the titles of items that begin like a text.
    /// - Complexity: O(length of the text and of the names).
    public init?(
        _ text: String,
        at cursor: Int,
        _ names: QueryNames,
        uses: QueryNames.Uses = { _ in nil },
        titles: (String) -> [String] = { _ in [] }
    ) {
        let before = Array(text.utf8.prefix(cursor))
        guard let start = CaptureCompletion.start(before) else { return nil }
        let sign = before[start]
        let isLink = sign == UInt8(ascii: "[")
        let name = String(
            decoding: before[(start + (isLink ? 2 : 1))...].filter { $0 != UInt8(ascii: "\"") },
            as: UTF8.self
        )
        let completions: [QueryNames.Completion]
        switch sign {
        case UInt8(ascii: "+"): completions = names.lists(completing: name, uses)
        case UInt8(ascii: "#"): completions = names.tags(completing: name, uses)
        case UInt8(ascii: "@"): completions = names.locations(completing: name)
        default: completions = []
        }
        let isList = sign == UInt8(ascii: "+")
        let lead = String(UnicodeScalar(sign))
        let mark = String(decoding: before[start...], as: UTF8.self)
        // What is written in full needs no completion; quotes stand for a name with blanks.
        let typed = Substring(name)
        let isWhole = completions.contains { one in
            one.path.last.map { typed.hasSuffix($0) } == true
                && lead + one.path.map(CaptureName.written).joined(separator: "/") == mark
        }
        if isWhole { return nil }
        /// The written form and the name alone.
        var found = completions.prefix(CaptureCompletion.most).map { name in
            (
                mark: name.path.map(CaptureName.written).joined(separator: "/"),
                // A slash inside of a tag or a place is nothing special.
                name: isList ? ListPath.string(name.path) : name.path.joined(), uses: name.uses
            )
        }
        if isLink, !name.isEmpty {
            found = titles(name).map { ("[\($0)]]", "[\($0)]]", nil) }
        }
        guard !found.isEmpty, !found.contains(where: { lead + $0.mark == mark }) else { return nil }
        range = start..<cursor
        candidates = found.map { lead + $0.mark }
        arguments = found.map { lead + $0.name }
        self.uses = found.map(\.uses)
    }

    /// What completes a link that ends at the cursor, in a text where nothing else is a mark.
    ///
    /// - Complexity: O(length of the text).
    public init?(link text: String, at cursor: Int, titles: (String) -> [String]) {
        self.init(text, at: cursor, .none, titles: titles)
    }

    /// The text with a candidate in the place of the mark, and a blank behind it.
    public func completed(_ text: String, with candidate: String) -> String {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: bytes[range.upperBound...], as: UTF8.self)
        return before + candidate + " " + after
    }

    /// Where the mark begins that is not ended: behind white space, and up to the end one word, a name in
    /// quotes, or a link.
    private static func start(_ bytes: [UInt8]) -> Int? {
        if let link = bytes.indices.last(where: {
            bytes[$0] == UInt8(ascii: "[") && $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "[")
        }), !bytes[link...].contains(UInt8(ascii: "]")) {
            return link - 1
        }
        var quotes = 0
        var at = bytes.count
        while at > 0 {
            at -= 1
            if bytes[at] == UInt8(ascii: "\"") { quotes += 1 }
            let isStart = at == 0 || bytes[at - 1] == UInt8(ascii: " ")
            guard isStart else { continue }
            let isMark = "+#@".utf8.contains(bytes[at]) && at + 1 < bytes.count
            if isMark, quotes % 2 == 1 || !bytes[at...].contains(UInt8(ascii: " ")) { return at }
            // A word that ends here is none, unless it is in the quotes of a mark before it.
            if quotes % 2 == 1, isMark { return at }
        }
        return nil
    }
}

extension Library {
    /// An argument of a shell as capture reads it: `+Big garden`, which is one argument, gets quotes if
    /// there is a list, a tag or a location of this name.
    public func written(_ argument: String) throws -> String {
        guard let sign = argument.first, "+#@".contains(sign) else { return argument }
        let name = String(argument.dropFirst())
        let path = ListPath.parse(name)
        let parts = sign == "+" ? path : [name]
        guard parts.contains(where: { CaptureName.written($0) != $0 }) else { return argument }
        let folded = QueryNames.folded(name)
        let names = QueryNames(self)
        let isKnown =
            switch sign {
            case "+": !names.lists(at: path, alone: true).isEmpty
            case "#": !names.tags(named: name).isEmpty
            default: names.locations.contains { $0.folded == folded }
            }
        try names.check()
        guard isKnown else { return argument }
        return String(sign) + parts.map(CaptureName.written).joined(separator: "/")
    }

    /// The titles of open items that begin like a text, in display order.
    ///
    /// Cost: one statement.
    public func titles(
        beginning text: String,
        limit: Int = CaptureCompletion.most
    ) throws -> [String] {
        let matching =
            Library.openItems
            && Condition(CompiledQuery.compare(Item.Keys.title, .beginsWith, text))
        return try items(matching: matching, limit: limit).map(\.title)
    }
}
