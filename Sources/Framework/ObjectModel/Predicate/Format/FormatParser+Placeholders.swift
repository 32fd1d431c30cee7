extension FormatParser {
    /// The argument of a placeholder as an operand.
    mutating func argument(
        for placeholder: FormatPlaceholder,
        _ start: Int
    ) throws(FormatFailure) -> Parsed {
        let value = try nextArgument(start)
        if case .opaque(let object) = value, let tree = object as? EmbeddedTree {
            if placeholder != .any {
                throw FormatFailure(start, because: "only %@ takes a predicate or an expression")
            }
            switch tree.content {
            case .predicate(let predicate): return try node(.predicate(predicate), 1, start)
            case .expression(let expression): return try node(.expression(expression), 1, start)
            }
        }
        let expression: FetchExpression
        switch placeholder {
        case .any: expression = .constant(value)
        case .key:
            guard case .string(let text) = value else {
                throw FormatFailure(start, because: "%K takes a key path as a string")
            }
            expression = keyPath(text)
        case .whole:
            guard let whole = wholeNumber(value) else {
                throw FormatFailure(
                    start,
                    because: "the placeholder takes a number, not \(value.kindWithArticle)"
                )
            }
            expression = .constant(whole)
        case .floating:
            guard let number = value.doubleValue else {
                throw FormatFailure(
                    start,
                    because: "the placeholder takes a number, not \(value.kindWithArticle)"
                )
            }
            expression = .constant(.double(number))
        case .text:
            guard case .string = value else {
                throw FormatFailure(
                    start,
                    because: "the placeholder takes a string, not \(value.kindWithArticle)"
                )
            }
            expression = .constant(value)
        }
        return try node(.expression(expression), 1, start)
    }

    /// `%d` cuts a fraction off, as C does.
    private func wholeNumber(_ value: GraphValue) -> GraphValue? {
        if let whole = value.integerValue { return .int(whole) }
        guard let number = value.doubleValue,
            let whole = Int64(exactly: number.rounded(.towardZero))
        else { return nil }
        return .int(whole)
    }

    /// The text for `%K` is parsed as a key path of the format: `self` is the object, a leading
    /// `$name` is a variable.
    private func keyPath(_ text: String) -> FetchExpression {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let first = parts.first.map(String.init) ?? ""
        let base: FetchExpression
        if first == "self" || first == "SELF" {
            base = .evaluatedObject
        } else if first.hasPrefix("$"), first.count > 1 {
            base = .variable(String(first.dropFirst()))
        } else {
            return .keyPath(text)
        }
        return parts.count == 2 ? base.appending(keyPath: String(parts[1])) : base
    }
}
