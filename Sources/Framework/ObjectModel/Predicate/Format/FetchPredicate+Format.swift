extension FetchPredicate {
    /// Parses a format string.
    ///
    /// The grammar is that of Core Data's predicates:
    ///
    ///     try FetchPredicate(format: "due < %@ AND ANY tags.name ==[c] 'home'", Date())
    ///
    /// `%@` takes a value, an object, a collection, an expression or a predicate; `%K` takes a
    /// key path; `%d`, `%f` and similar ones take numbers, `%s` takes text. Extra arguments are
    /// ignored.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat`` that says
    ///   where the text is wrong and what was expected there.
    /// - Complexity: O(*n*), where *n* is the length of the format.
    public init(format: String, _ arguments: (any FetchOperand)?...) throws {
        self = try FetchPredicate(
            format: format,
            argumentArray: arguments.map { $0?.operandValue ?? .null }
        )
    }

    /// Parses a format string with its arguments in an array.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``.
    /// - Complexity: O(*n*), where *n* is the length of the format.
    public init(format: String, argumentArray arguments: [GraphValue]) throws {
        do throws(FormatFailure) {
            var parser = try FormatParser(format, arguments)
            self = try parser.predicate()
        } catch {
            throw error.error(in: format)
        }
    }
}

extension FetchExpression {
    /// Parses the format string of an expression: `price * 2`, `sum(items.price)`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``.
    public init(format: String, _ arguments: (any FetchOperand)?...) throws {
        self = try FetchExpression(
            format: format,
            argumentArray: arguments.map { $0?.operandValue ?? .null }
        )
    }

    /// Parses a format string with its arguments in an array.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``.
    /// - Complexity: O(*n*), where *n* is the length of the format.
    public init(format: String, argumentArray arguments: [GraphValue]) throws {
        do throws(FormatFailure) {
            var parser = try FormatParser(format, arguments)
            self = try parser.expression()
        } catch {
            throw error.error(in: format)
        }
    }
}
