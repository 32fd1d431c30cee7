import CaseFiles
import Foundation
import ObjectModel
import Testing

/// Holds predicates, expressions and key paths against cases that were run on Apple's framework.
@Suite struct PredicateConformance {
    @Test(.enabled(if: CaseFiles.has("predicates.json"), "there is no predicates.json"))
    func predicatesFollowTheCases() throws {
        var report = ConformanceReport("predicates.json")
        for item in try CaseFiles.read("predicates.json").elements {
            report.record(item["id"]?.text ?? "?", nil) { try passes(predicateCase: item) }
        }
        report.finish()
    }

    @Test(.enabled(if: CaseFiles.has("predicate_syntax.json"), "there is no predicate_syntax.json"))
    func formatsAreAcceptedAndRejected() throws {
        let cases = try CaseFiles.read("predicate_syntax.json")
        // The last two are another dialect's.
        try cases.expectKeys([
            "source", "note", "portable_valid", "portable_invalid", "realmOnly_valid",
            "realmOnly_invalid",
        ])
        var report = ConformanceReport("predicate_syntax.json")
        for (kind, isValid) in [("valid", true), ("invalid", false)] {
            let texts = try #require(cases["portable_" + kind]).elements
            #expect(!texts.isEmpty)
            for (index, item) in texts.enumerated() {
                let text = try #require(item.text)
                report.record("\(kind)-\(index + 1)", try Deviation.of(text)) {
                    try isAccepted(text) == isValid
                }
            }
        }
        report.finish()
    }

    @Test(.enabled(if: CaseFiles.has("expressions.json"), "there is no expressions.json"))
    func expressionsFollowTheCases() throws {
        var report = ConformanceReport("expressions.json")
        for item in try CaseFiles.read("expressions.json").elements {
            report.record(item["id"]?.text ?? "?", nil) { try passes(expressionCase: item) }
        }
        report.finish()
    }

    @Test(
        .enabled(
            if: CaseFiles.has("kvc_collection_operators.json"),
            "there is no kvc_collection_operators.json"
        )
    )
    func collectionOperatorsFollowTheCases() throws {
        let file = try CaseFiles.read("kvc_collection_operators.json")
        var report = ConformanceReport("kvc_collection_operators.json")
        for item in try #require(file["cases"]).elements {
            report.record(item["id"]?.text ?? "?", nil) {
                try passes(keyPathCase: item, fixtures: file["fixtures"] ?? .null)
            }
        }
        report.finish()
    }

    /// Whether a text is a predicate; what is not one is refused with the error of its kind.
    private func isAccepted(_ text: String) throws -> Bool {
        do {
            _ = try FetchPredicate(format: text)
            return true
        } catch let error as ObjectGraphError where error.code == .invalidFormat {
            return false
        }
    }

    // MARK: Predicates

    private static let predicateKeys: Set = [
        "id", "source", "note", "format", "args", "bindings", "object", "expect", "filter",
        "expectCount", "expectRows", "otherFormat", "expectEqual", "expectFormat", "fetchEntity",
        "fixture", "expectNames",
    ]

    private func passes(predicateCase item: JSON) throws -> Bool {
        try item.expectKeys(Self.predicateKeys)
        guard let format = item["format"]?.text else { throw UnmappedCase("no format") }
        let arguments = try (item["args"]?.elements ?? []).map { try $0.value }
        let predicate: FetchPredicate
        do {
            predicate = try FetchPredicate(format: format, argumentArray: arguments)
        } catch {
            guard item["expect"]?.text == "parse-error", isFormatError(error) else { throw error }
            return true
        }
        // Every expectation of the case is checked; one without any is not mapped.
        var checks: [Bool] = []
        if let expected = item["expectFormat"]?.text { checks.append(predicate.format == expected) }
        if let isEqual = item["expectEqual"] {
            guard let format = item["otherFormat"]?.text, case .bool(let isEqual) = isEqual else {
                throw UnmappedCase("expectEqual without another format")
            }
            let other = try FetchPredicate(format: format, argumentArray: arguments)
            checks.append((predicate == other) == isEqual)
            checks.append(!isEqual || predicate.hashValue == other.hashValue)
        }
        let bindings = try (item["bindings"]?.entries ?? [:]).mapValues { try $0.value }
        if let entity = item["fetchEntity"]?.text {
            guard item["fixture"]?.text == EntityFixture.name, let names = item["expectNames"]
            else { throw UnmappedCase("fixture \(item["fixture"] ?? .null)") }
            let found = try EntityFixture().names(of: entity, where: predicate)
            checks.append(found == Set(names.elements.compactMap(\.text)))
        }
        if let rows = item["filter"] {
            let found = try rows.elements.map { try $0.value }
                .filtered(using: predicate, bindings: bindings)
            if let expected = item["expectRows"] {
                checks.append(found == (try expected.elements.map { try $0.value }))
            }
            if let expected = item["expectCount"] { checks.append(found.count == expected.number) }
        } else if let expected = item["expect"] {
            let object = try (item["object"] ?? .null).value
            let answer = Result { try predicate.evaluate(with: object, bindings: bindings) }
            checks.append(try agrees(answer, expected))
        }
        if checks.isEmpty { throw UnmappedCase("no expectation") }
        return checks.allSatisfy { $0 }
    }

    private func agrees(_ answer: Result<Bool, any Error>, _ expected: JSON) throws -> Bool {
        switch expected {
        case .bool(let holds): return try answer.get() == holds
        case .string("parse-error"): return false
        case .string("eval-error"):
            do {
                _ = try answer.get()
                return false
            } catch is ObjectGraphError {
                return true
            }
        default: throw UnmappedCase("expect \(expected)")
        }
    }

    private func isFormatError(_ error: any Error) -> Bool {
        guard let error = error as? ObjectGraphError else { return false }
        return error.code == .invalidFormat
            && error.message.hasPrefix("Unable to parse the format string")
    }

    // MARK: Expressions

    private static let expressionKeys: Set = [
        "id", "source", "note", "expect", "expectSet", "function", "args", "expressionFormat",
        "setOperation", "left", "right",
    ]

    private func passes(expressionCase item: JSON) throws -> Bool {
        try item.expectKeys(Self.expressionKeys)
        let expected = item["expect"]?.text
        let expression: FetchExpression
        do {
            expression = try self.expression(item)
        } catch let error as ObjectGraphError {
            switch expected {
            case "parse-error": return isFormatError(error)
            case "unknown-function-error": return error.code == .invalidFormat
            default: throw error
            }
        }
        let result = try expression.value(with: GraphValue.null)
        if let expected = item["expectSet"] {
            return result == .set(Set(try expected.elements.map { try $0.value }))
        }
        guard let value = item["expect"] else { throw UnmappedCase("no expectation") }
        return isNear(result, try value.value)
    }

    private func expression(_ item: JSON) throws -> FetchExpression {
        let arguments = item["args"]?.elements ?? []
        if let format = item["expressionFormat"]?.text {
            return try FetchExpression(
                format: format,
                argumentArray: try arguments.map { try $0.value }
            )
        }
        if let operation = item["setOperation"]?.text {
            guard let left = item["left"], let right = item["right"] else {
                throw UnmappedCase("\(operation) of one side")
            }
            let sides = (
                FetchExpression.constant(try left.value), FetchExpression.constant(try right.value)
            )
            switch operation {
            case "union": return .union(sides.0, sides.1)
            case "intersect": return .intersect(sides.0, sides.1)
            case "minus": return .minus(sides.0, sides.1)
            default: throw UnmappedCase("set operation \(operation)")
            }
        }
        if let symbol = arguments.last?["$symbol"]?.text {
            let collection = FetchExpression.constant(try arguments[0].value)
            switch symbol {
            case "FIRST": return .subscripted(collection, .first)
            case "LAST": return .subscripted(collection, .last)
            case "SIZE": return .subscripted(collection, .size)
            default: throw UnmappedCase("symbol \(symbol)")
            }
        }
        guard let function = item["function"]?.text else { throw UnmappedCase("no expression") }
        return try .function(named: function, try arguments.map { .constant(try $0.value) })
    }

    /// Equality, with a little room for floating point numbers.
    private func isNear(_ result: GraphValue, _ expected: GraphValue) -> Bool {
        if case .double(let wanted) = expected, let number = result.doubleValue {
            return abs(number - wanted) <= 1e-12 * max(1, abs(wanted))
        }
        return result == expected
    }

    // MARK: Key paths

    private func passes(keyPathCase item: JSON, fixtures: JSON) throws -> Bool {
        try item.expectKeys(["id", "source", "note", "receiver", "keyPath", "expect", "compareAs"])
        guard let keyPath = item["keyPath"]?.text, let expected = item["expect"] else {
            throw UnmappedCase("no key path or no expectation")
        }
        let receiver = try receiver(item["receiver"]?.text ?? "", fixtures)
        if let exception = expected["raises"] {
            return try raises(exception) { try receiver.value(forKeyPath: keyPath) }
        }
        let result = try receiver.value(forKeyPath: keyPath)
        if let count = expected["count"]?.number { return result.elements?.count == count }
        if expected["$nan"] != nil { return result.doubleValue?.isNaN ?? false }
        switch item["compareAs"]?.text {
        case nil: return isNear(result, try expected.value)
        case "int":
            let wanted = try expected.value.doubleValue
            return result.doubleValue.map { $0.rounded(.towardZero) } == wanted
        case let comparison?: throw UnmappedCase("compareAs \(comparison)")
        }
    }

    /// Whether the error is the one that Apple's exception is here.
    private func raises(_ exception: JSON, _ body: () throws -> GraphValue) throws -> Bool {
        let code: ObjectGraphError.Code
        switch exception.text {
        case "NSUnknownKeyException": code = .undefinedKey
        case "NSInvalidArgumentException": code = .wrongValueKind
        case "NSDecimalNumberOverflowException": code = .cannotEvaluate
        default: throw UnmappedCase("raises \(exception)")
        }
        do {
            _ = try body()
            return false
        } catch let error as ObjectGraphError {
            if error.code == code { return true }
            throw error
        }
    }

    private func receiver(_ name: String, _ fixtures: JSON) throws -> GraphValue {
        func fixture(_ name: String) throws -> JSON {
            guard let fixture = fixtures[name] else { throw UnmappedCase("receiver \(name)") }
            return fixture
        }
        switch name {
        case "array:A": return try fixture("A").value
        case "set:A": return .set(Set(try fixture("A").elements.map { try $0.value }))
        case "empty": return .array([])
        case "emptySet", "empty:set": return .set([])
        case "Bsets": return .array(try fixture("B").elements.map { try $0.asSets })
        default: return try fixture(name).value
        }
    }
}
