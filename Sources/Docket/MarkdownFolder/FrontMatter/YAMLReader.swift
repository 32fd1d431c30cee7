// One descent over bytes. A block knows the column of what it is in; what stands in a greater column
// belongs to it. Lists and maps in brackets know no columns. Scalars are in `YAMLReader+Scalars`.

/// Reads one document of YAML 1.2: what front matter consists of.
///
/// Scalars stay texts. Not read are keys that are lists or maps, or that begin with `?`; directives
/// and further documents are not allowed in front matter.
///
/// - Complexity: O(bytes).
struct YAMLReader {
    let bytes: ArraySlice<UInt8>
    var at: Int
    /// Where the line begins that `at` is in.
    var lineStart: Int
    /// The number of that line in the file.
    var line: Int
    /// How many lists in brackets this is in.
    var flowDepth = 0
    private var depth = 0
    private var anchors: [String: YAMLNode] = [:]
    /// The names that are referred to.
    private(set) var aliases: Set<String> = []

    private static let deepest = 64

    init(_ bytes: ArraySlice<UInt8>, firstLine: Int) {
        self.bytes = bytes
        at = bytes.startIndex
        lineStart = at
        line = firstLine
    }

    /// Reads the whole text.
    ///
    /// - Throws: ``YAMLProblem``.
    mutating func document() throws(YAMLProblem) -> YAMLNode {
        var number = line
        for byte in bytes {
            if byte == 10 { number += 1 }
            if byte < 32 && byte != 9 && byte != 10 && byte != 13 || byte == 127 {
                throw YAMLProblem(line: number, message: "it contains a control character")
            }
        }
        let node = try block(in: -1, isBehindKey: false)
        try skipLines()
        if at < bytes.endIndex {
            throw problem(
                column == 0 ? "this does not belong to a key" : "the indentation is wrong"
            )
        }
        return node
    }

    func problem(_ message: String) -> YAMLProblem { YAMLProblem(line: line, message: message) }

    // MARK: Bytes

    func byte(_ offset: Int = 0) -> UInt8? {
        at + offset < bytes.endIndex ? bytes[at + offset] : nil
    }

    var column: Int { at - lineStart }

    /// Whether a blank, a line break or the end is there.
    func isBlank(_ offset: Int = 0) -> Bool {
        guard let byte = byte(offset) else { return true }
        return byte == 32 || byte == 9 || byte == 10 || byte == 13
    }

    var isLineEnd: Bool { byte().map { $0 == 10 || $0 == 13 } ?? true }

    mutating func skipBlanks() {
        while let byte = byte(), byte == 32 || byte == 9 { at += 1 }
    }

    /// Moves behind a line break.
    mutating func skipBreak() {
        if byte() == 13, byte(1) == 10 { at += 1 }
        at += 1
        lineStart = at
        line += 1
    }

    /// Moves to the next sign that is no blank and in no comment, also in a later line.
    mutating func skipLines() throws(YAMLProblem) {
        while true {
            skipBlanks()
            if byte() == UInt8(ascii: "#") {
                // Directly behind something else it is no comment.
                if at > lineStart, !isBlank(-1) { return }
                while !isLineEnd { at += 1 }
            }
            guard at < bytes.endIndex else { return }
            if isLineEnd {
                skipBreak()
                continue
            }
            if flowDepth == 0, bytes[lineStart..<at].contains(9),
                bytes[lineStart..<at].allSatisfy({ $0 == 32 || $0 == 9 })
            {
                throw problem("a tab cannot indent; use blanks")
            }
            return
        }
    }

    /// Checks that nothing but a comment follows in the line.
    private mutating func endLine() throws(YAMLProblem) {
        let start = at
        skipBlanks()
        if isLineEnd || byte() == UInt8(ascii: "#") && at > start { return }
        if byte() == UInt8(ascii: ":"), isBlank(1) { throw secondColon }
        throw problem("text follows a value that has ended")
    }

    private var secondColon: YAMLProblem {
        problem("a value with \": \" in it needs quotes")
    }

    // MARK: Blocks

    /// Reads a value that is in a block.
    ///
    /// - Parameters:
    ///   - parent: the column of the list or map that it is in.
    ///   - isBehindKey: whether it begins behind `key:`, so that a list or a map must begin in a
    ///     later line.
    /// - Returns: the value.
    /// - Throws: ``YAMLProblem``.
    private mutating func block(in parent: Int, isBehindKey: Bool) throws(YAMLProblem) -> YAMLNode {
        depth += 1
        defer { depth -= 1 }
        if depth > YAMLReader.deepest { throw problem("it is nested too deeply") }
        let (first, place) = (line, at)
        try skipLines()
        var isInKeyLine = isBehindKey && line == first
        guard belongs(to: parent, isBehindKey: isBehindKey, isInKeyLine) else {
            return YAMLNode(content: .scalar("", isPlain: true), range: place..<place)
        }
        var anchor: String?
        let isMapWithNamedKey = !isInKeyLine && isKey()
        if !isMapWithNamedKey, let named = try properties() {
            anchor = named.anchor
            let (propertyLine, place) = (line, at)
            try skipLines()
            isInKeyLine = line == propertyLine
            guard belongs(to: parent, isBehindKey: isBehindKey, isInKeyLine) else {
                let none = YAMLNode(content: .scalar("", isPlain: true), range: place..<place)
                return keep(none, anchor)
            }
        }
        let node = try value(in: parent, isInKeyLine: isInKeyLine)
        return keep(node, anchor)
    }

    /// Whether what comes next is inside of a list or map, or a list that may be in its key's column.
    private func belongs(to parent: Int, isBehindKey: Bool, _ isInKeyLine: Bool) -> Bool {
        guard at < bytes.endIndex else { return false }
        if isInKeyLine || column > parent { return true }
        return isBehindKey && column == parent && isDash
    }

    private mutating func keep(_ node: YAMLNode, _ anchor: String?) -> YAMLNode {
        guard let anchor else { return node }
        var node = node
        node.anchor = anchor
        anchors[anchor] = node
        return node
    }

    private var isDash: Bool { byte() == UInt8(ascii: "-") && isBlank(1) }

    private mutating func value(
        in parent: Int,
        isInKeyLine: Bool
    ) throws(YAMLProblem) -> YAMLNode {
        let start = at
        if isDash {
            if isInKeyLine { throw problem("a list must begin in a line of its own") }
            return try blockList()
        }
        if isKey() {
            if isInKeyLine { throw secondColon }
            return try blockMap()
        }
        switch byte() {
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            let text = try blockScalar(in: parent)
            return YAMLNode(content: .scalar(text.text, isPlain: false), range: start..<text.end)
        case UInt8(ascii: "?") where isBlank(1):
            throw problem("a key that begins with \"?\" is not read here")
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "*"):
            let node = try flowValue()
            try endLine()
            return node
        default:
            let node = try plainNode(in: parent)
            try endLine()
            return node
        }
    }

    private mutating func blockList() throws(YAMLProblem) -> YAMLNode {
        let (own, start) = (column, at)
        var nodes: [YAMLNode] = []
        var end = at
        while at < bytes.endIndex, column == own, isDash {
            at += 1
            end = at
            let node = try block(in: own, isBehindKey: false)
            if !node.range.isEmpty || at > end { end = max(end, node.range.upperBound) }
            nodes.append(node)
            try skipLines()
        }
        return YAMLNode(content: .list(nodes), range: start..<end)
    }

    private mutating func blockMap() throws(YAMLProblem) -> YAMLNode {
        let (own, start) = (column, at)
        var entries: [YAMLEntry] = []
        var known: [String: Int] = [:]
        var end = at
        while at < bytes.endIndex, column == own {
            if isDash { throw problem("a list cannot stand between keys") }
            guard isKey() else { throw problem("this is not a key with a colon") }
            let keyLine = line
            let key = try self.key()
            try check(key.text, keyLine, &known)
            skipBlanks()
            at += 1
            let colon = at
            let value = try block(in: own, isBehindKey: true)
            end = max(colon, value.range.upperBound)
            entries.append(YAMLEntry(key: key.text, keyRange: key.range, value: value, end: end))
            try skipLines()
        }
        if at < bytes.endIndex, column > own { throw problem("the indentation is wrong") }
        return YAMLNode(content: .map(entries), range: start..<end)
    }

    private func check(
        _ key: String,
        _ line: Int,
        _ known: inout [String: Int]
    )
        throws(YAMLProblem)
    {
        if let first = known[key] {
            throw YAMLProblem(
                line: line,
                message: "the key \"\(key.prefix(60))\" is already in line \(first)"
            )
        }
        known[key] = line
    }

    // MARK: Keys

    /// Whether a key and its colon come next, in one line.
    private func isKey() -> Bool {
        var copy = self
        guard (try? copy.key()) != nil, copy.line == line else { return false }
        copy.skipBlanks()
        return copy.byte() == UInt8(ascii: ":") && copy.isBlank(1)
    }

    private mutating func key() throws(YAMLProblem) -> (text: String, range: Range<Int>) {
        let start = at
        let named = try properties()
        if named != nil { skipBlanks() }
        let node: YAMLNode
        switch byte() {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "*"): node = try flowValue()
        default: node = try plainNode(in: nil)
        }
        guard case .scalar(let text, _) = node.content else {
            throw problem("a key must be a text")
        }
        _ = keep(node, named?.anchor)
        return (text, start..<at)
    }

    // MARK: Anchors and tags

    /// Reads `&name` and `!tag`.
    ///
    /// - Returns: `nil` if there are none.
    private mutating func properties() throws(YAMLProblem) -> (anchor: String?, isTagged: Bool)? {
        var anchor: String?
        var isTagged = false
        while let sign = byte(), sign == UInt8(ascii: "&") || sign == UInt8(ascii: "!") {
            let isAnchor = sign == UInt8(ascii: "&")
            if isAnchor ? anchor != nil : isTagged {
                throw problem("a value has two anchors or two tags")
            }
            at += 1
            let name = word()
            if isAnchor {
                if name.isEmpty { throw problem("an anchor has no name") }
                anchor = name
            } else {
                isTagged = true
            }
            if !isBlank(), flowDepth == 0 || !isFlowSign(byte()) {
                throw problem("a blank is missing after an anchor or a tag")
            }
            let place = at
            skipBlanks()
            if byte() != UInt8(ascii: "&"), byte() != UInt8(ascii: "!") { at = place }
        }
        return anchor == nil && !isTagged ? nil : (anchor, isTagged)
    }

    func isFlowSign(_ byte: UInt8?) -> Bool { byte.map { ",[]{}".utf8.contains($0) } ?? false }

    private mutating func word() -> String {
        let start = at
        while !isBlank(), !isFlowSign(byte()) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    // MARK: Values that need no block

    private mutating func flowValue() throws(YAMLProblem) -> YAMLNode {
        let start = at
        switch byte() {
        case UInt8(ascii: "["): return try flowList()
        case UInt8(ascii: "{"): return try flowMap()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try quoted()
            return YAMLNode(content: .scalar(text, isPlain: false), range: start..<at)
        case UInt8(ascii: "*"):
            at += 1
            let name = word()
            guard var node = anchors[name] else {
                throw problem("the anchor \"\(name.prefix(60))\" is not known")
            }
            aliases.insert(name)
            node.range = start..<at
            node.anchor = nil
            return node
        default: return try plainNode(in: nil)
        }
    }

    /// Reads a value between brackets, which may have an anchor and may be empty.
    private mutating func flowEntry() throws(YAMLProblem) -> YAMLNode {
        if at >= bytes.endIndex { throw problem("a bracket has no end") }
        let named = try properties()
        try skipLines()
        if byte() == UInt8(ascii: ",") || byte() == UInt8(ascii: "]") || byte() == UInt8(ascii: "}")
            || byte() == UInt8(ascii: ":") && isEndOfKey
        {
            return keep(
                YAMLNode(content: .scalar("", isPlain: true), range: at..<at),
                named?.anchor
            )
        }
        return keep(try flowValue(), named?.anchor)
    }

    private var isEndOfKey: Bool { isBlank(1) || isFlowSign(byte(1)) }

    private mutating func enter() throws(YAMLProblem) {
        at += 1
        (depth, flowDepth) = (depth + 1, flowDepth + 1)
        if depth > YAMLReader.deepest { throw problem("it is nested too deeply") }
        try skipLines()
    }

    private mutating func leave() {
        at += 1
        (depth, flowDepth) = (depth - 1, flowDepth - 1)
    }

    /// Moves behind the comma of a list in brackets.
    private mutating func skipComma(_ last: UInt8, _ first: Int) throws(YAMLProblem) {
        try skipLines()
        if byte() == UInt8(ascii: ",") {
            at += 1
            try skipLines()
        } else if at >= bytes.endIndex {
            let sign = Character(Unicode.Scalar(last))
            throw YAMLProblem(line: first, message: "a \"\(sign)\" is missing")
        } else if byte() != last {
            throw problem("a comma is missing between values in brackets")
        }
    }

    private mutating func flowList() throws(YAMLProblem) -> YAMLNode {
        let (start, first) = (at, line)
        try enter()
        var nodes: [YAMLNode] = []
        while byte() != UInt8(ascii: "]") {
            let begin = at
            let wasQuoted = byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'")
            var node = try flowEntry()
            try skipLines()
            if byte() == UInt8(ascii: ":"), wasQuoted || isEndOfKey {
                let entry = try pair(node, begin..<at)
                node = YAMLNode(content: .map([entry]), range: begin..<at)
            } else if at == begin {
                throw problem("a value is missing in brackets")
            }
            nodes.append(node)
            try skipComma(UInt8(ascii: "]"), first)
        }
        leave()
        return YAMLNode(content: .list(nodes), range: start..<at)
    }

    private mutating func flowMap() throws(YAMLProblem) -> YAMLNode {
        let (start, first) = (at, line)
        try enter()
        var entries: [YAMLEntry] = []
        var known: [String: Int] = [:]
        while byte() != UInt8(ascii: "}") {
            let (begin, keyLine) = (at, line)
            let wasQuoted = byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'")
            let key = try flowEntry()
            let end = at
            try skipLines()
            var entry: YAMLEntry
            if byte() == UInt8(ascii: ":"), wasQuoted || isEndOfKey {
                entry = try pair(key, begin..<end)
            } else {
                if at == begin { throw problem("a value is missing in brackets") }
                let none = YAMLNode(content: .scalar("", isPlain: true), range: end..<end)
                entry = try pair(key, begin..<end, none)
            }
            try check(entry.key, keyLine, &known)
            entries.append(entry)
            try skipComma(UInt8(ascii: "}"), first)
        }
        leave()
        return YAMLNode(content: .map(entries), range: start..<at)
    }

    private mutating func pair(
        _ key: YAMLNode,
        _ range: Range<Int>,
        _ known: YAMLNode? = nil
    ) throws(YAMLProblem) -> YAMLEntry {
        guard case .scalar(let text, _) = key.content else {
            throw problem("a key must be a text")
        }
        if let known { return YAMLEntry(key: text, keyRange: range, value: known, end: at) }
        at += 1
        let colon = at
        try skipLines()
        var value = try flowEntry()
        if value.range.isEmpty { value.range = colon..<colon }
        return YAMLEntry(
            key: text,
            keyRange: range,
            value: value,
            end: max(colon, value.range.upperBound)
        )
    }
}
