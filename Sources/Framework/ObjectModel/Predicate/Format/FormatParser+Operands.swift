import FoundationEssentials

extension FormatParser {
    /// One operand, without the keys and indexes after it.
    mutating func primary() throws(FormatFailure) -> Parsed {
        let start = token.start
        switch token.kind {
        case .number(let number):
            return try constant(value(of: number, isNegative: false))
        case .text(let text):
            return try constant(.string(text))
        case .placeholder(let placeholder):
            try advance()
            return try argument(for: placeholder, start)
        case .variable(let name):
            return try variable(name)
        case .escapedKey(let key):
            try advance()
            return try node(.expression(.keyPath(key)), 1, start)
        case .collectionOperator(let name):
            let key = try collectionOperatorKey(name)
            try advance()
            try expectKeyPath(after: key, isComplete: false)
            return try node(.expression(.keyPath(key)), 1, start)
        case .selector(let name):
            try advance()
            return try call(name, start)
        case .symbol(.openParenthesis):
            try advance()
            var inner = try parse(.or)
            try expect(.closeParenthesis)
            inner.start = start
            return inner
        case .symbol(.openBrace):
            try advance()
            let (elements, height) = try list(until: .closeBrace)
            return try node(.expression(.list(elements)), height + 1, start)
        case .word(let text):
            if let word = FormatWord(text) { return try reserved(word, text) }
            try advance()
            if isSymbol(.openParenthesis) { return try call(text, start) }
            return try node(.expression(.keyPath(text)), 1, start)
        default:
            throw FormatFailure(start, expected: "an operand")
        }
    }

    private mutating func constant(_ value: GraphValue) throws(FormatFailure) -> Parsed {
        let start = token.start
        try advance()
        return try node(.expression(.constant(value)), 1, start)
    }

    func value(of number: FormatNumber, isNegative: Bool) -> GraphValue {
        switch number {
        case .fraction(let fraction): return .double(isNegative ? -fraction : fraction)
        case .whole(let magnitude):
            if let whole = Int64(exactly: magnitude) { return .int(isNegative ? -whole : whole) }
            if isNegative, magnitude == UInt64(1) << 63 { return .int(.min) }
            return decimal(String(magnitude), isNegative: isNegative)
        case .large(let digits): return decimal(digits, isNegative: isNegative)
        }
    }

    private func decimal(_ digits: String, isNegative: Bool) -> GraphValue {
        let text = isNegative ? "-" + digits : digits
        return Decimal(string: text).map { .decimal($0) } ?? .double(Double(text) ?? .infinity)
    }

    private mutating func variable(_ name: String) throws(FormatFailure) -> Parsed {
        let start = token.start
        try advance()
        guard try take(.assign) else { return try node(.expression(.variable(name)), 1, start) }
        let right = try parse(.set)
        return try node(
            .expression(.assignment(name, expression(of: right))),
            right.height + 1,
            start
        )
    }

    /// Expressions separated by commas, and the height of the highest tree.
    mutating func list(until end: FormatSymbol) throws(FormatFailure) -> ([FetchExpression], Int) {
        var elements: [FetchExpression] = []
        var height = 0
        if try take(end) { return ([], 0) }
        repeat {
            let element = try parse(.set)
            elements.append(try expression(of: element))
            height = max(height, element.height)
        } while try take(.comma)
        try expect(end, "\",\" or \"\(end.rawValue)\"")
        return (elements, height)
    }

    // MARK: What follows an operand

    /// `.key` and `[index]`, any number of times.
    mutating func postfix(_ operand: Parsed) throws(FormatFailure) -> Parsed {
        var operand = operand
        while true {
            if isSymbol(.dot) {
                operand = try path(from: operand)
            } else if isSymbol(.openBracket), case .expression = operand.content {
                operand = try element(of: operand)
            } else {
                return operand
            }
        }
    }

    private mutating func path(from operand: Parsed) throws(FormatFailure) -> Parsed {
        let base = try expression(of: operand)
        var path = try key()
        try expectKeyPath(after: path, isComplete: base.isPathLike)
        // A long path is put together at once: to append its keys one by one takes quadratic time.
        if case .keyPath = base {
            while isSymbol(.dot) {
                let next = try key()
                try expectKeyPath(after: next, isComplete: true)
                path += "." + next
            }
        }
        let expression = base.appending(keyPath: path)
        // A key path is one node, however long it is.
        let height = if case .keyPath = expression { 1 } else { operand.height + 1 }
        return try node(.expression(expression), height, operand.start)
    }

    /// The key after a point.
    private mutating func key() throws(FormatFailure) -> String {
        try advance()
        let start = token.start
        let key: String
        switch token.kind {
        case .word(let text), .escapedKey(let text): key = text
        case .collectionOperator(let name): key = try collectionOperatorKey(name)
        case .placeholder(.key):
            guard case .string(let text) = try nextArgument(start) else {
                throw FormatFailure(start, because: "%K takes a key path as a string")
            }
            key = text
        default: throw FormatFailure(start, expected: "a key after the point")
        }
        try advance()
        return key
    }

    /// An operator that combines values needs a key path: after it, or before it as in derived
    /// attributes.
    private func expectKeyPath(after key: String, isComplete: Bool) throws(FormatFailure) {
        let needsPath = CollectionOperator(key: key)?.needsKeyPath ?? false
        if needsPath, !isComplete, !isSymbol(.dot) {
            throw FormatFailure(token.start, expected: "a key path after \(key)")
        }
    }

    private func collectionOperatorKey(_ name: String) throws(FormatFailure) -> String {
        let key = "@" + name
        if CollectionOperator(key: key) == nil {
            throw FormatFailure(token.start, because: "\(key) is not a collection operator")
        }
        return key
    }

    private mutating func element(of operand: Parsed) throws(FormatFailure) -> Parsed {
        let base = try expression(of: operand)
        try advance()
        let (position, height) = try position(until: .closeBracket)
        return try node(
            .expression(.subscripted(base, position)),
            max(operand.height, height) + 1,
            operand.start
        )
    }

    /// The position in a collection: `FIRST`, `LAST`, `SIZE` or an index, up to the closing token.
    mutating func position(
        until end: FormatSymbol
    ) throws(FormatFailure) -> (FetchSubscript, height: Int) {
        let position: FetchSubscript
        var height = 0
        if let symbol = subscriptSymbol {
            position = symbol
            try advance()
        } else {
            let index = try parse(.set)
            position = .index(try expression(of: index))
            height = index.height
        }
        try expect(end)
        return (position, height)
    }

    private var subscriptSymbol: FetchSubscript? {
        switch word {
        case .first: .first
        case .last: .last
        case .size: .size
        default: nil
        }
    }
}
