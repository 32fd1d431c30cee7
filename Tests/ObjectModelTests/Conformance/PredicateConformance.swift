import CaseFiles
import Foundation
import ObjectModel
import Testing

/// Holds predicates, expressions and key paths against cases that were run on Apple's framework.
@Suite struct PredicateConformance {
    @Test func predicatesFollowTheCases() throws {
        guard let cases = try CaseFiles.read("predicates.json") else { return }
        var report = ConformanceReport("predicates.json")
        for item in cases.elements {
            report.record(item["id"]?.text ?? "?", nil, passes(predicateCase: item))
        }
        report.finish()
    }

    @Test func formatsAreAcceptedAndRejected() throws {
        guard let cases = try CaseFiles.read("predicate_syntax.json") else { return }
        var report = ConformanceReport("predicate_syntax.json")
        for (kind, isValid) in [("valid", true), ("invalid", false)] {
            for (index, item) in (cases["portable_" + kind]?.elements ?? []).enumerated() {
                let text = item.text ?? ""
                let isAccepted = (try? FetchPredicate(format: text)) != nil
                report.record(
                    "\(kind)-\(index + 1)",
                    try Deviation.of(text),
                    isAccepted == isValid
                )
            }
        }
        report.finish()
    }

    @Test func expressionsFollowTheCases() throws {
        guard let cases = try CaseFiles.read("expressions.json") else { return }
        var report = ConformanceReport("expressions.json")
        for item in cases.elements {
            report.record(item["id"]?.text ?? "?", nil, passes(expressionCase: item))
        }
        report.finish()
    }

    @Test func collectionOperatorsFollowTheCases() throws {
        guard let file = try CaseFiles.read("kvc_collection_operators.json") else { return }
        var report = ConformanceReport("kvc_collection_operators.json")
        for item in file["cases"]?.elements ?? [] {
            let passes = passes(keyPathCase: item, fixtures: file["fixtures"] ?? .null)
            report.record(item["id"]?.text ?? "?", nil, passes)
        }
        report.finish()
    }

    // MARK: Predicates

    private func passes(predicateCase item: JSON) -> Bool {
        let arguments = (item["args"]?.elements ?? []).map(\.value)
        let predicate: FetchPredicate
        do {
            predicate = try FetchPredicate(
                format: item["format"]?.text ?? "",
                argumentArray: arguments
            )
        } catch {
            return item["expect"]?.text == "parse-error" && isFormatError(error)
        }
        if let expected = item["expectFormat"]?.text, predicate.format != expected { return false }
        if case .bool(let isEqual) = item["expectEqual"] {
            guard let format = item["otherFormat"]?.text,
                let other = try? FetchPredicate(format: format, argumentArray: arguments),
                (predicate == other) == isEqual,
                !isEqual || predicate.hashValue == other.hashValue
            else { return false }
        }
        let bindings = (item["bindings"]?.entries ?? [:]).mapValues(\.value)
        if let entity = item["fetchEntity"]?.text {
            let names = Set((item["expectNames"]?.elements ?? []).compactMap(\.text))
            return (try? EntityFixture().names(of: entity, where: predicate)) == names
        }
        if let rows = item["filter"]?.elements.map(\.value) {
            let found = try? rows.filtered(using: predicate, bindings: bindings)
            if let expected = item["expectRows"] { return found == expected.elements.map(\.value) }
            return found != nil && found?.count == item["expectCount"]?.number
        }
        switch item["expect"] {
        case .bool(let expected):
            let object = item["object"]?.value ?? .null
            return (try? predicate.evaluate(with: object, bindings: bindings)) == expected
        case .string("eval-error"):
            let object = item["object"]?.value ?? .null
            return (try? predicate.evaluate(with: object, bindings: bindings)) == nil
        case nil: return item["expectFormat"] != nil || item["expectEqual"] != nil
        default: return false
        }
    }

    private func isFormatError(_ error: any Error) -> Bool {
        guard let error = error as? ObjectGraphError else { return false }
        return error.code == .invalidFormat
            && error.message.hasPrefix("Unable to parse the format string")
    }

    // MARK: Expressions

    private func passes(expressionCase item: JSON) -> Bool {
        let expression: FetchExpression
        do {
            expression = try self.expression(item)
        } catch {
            let expected = item["expect"]?.text
            return expected == "parse-error" && isFormatError(error)
                || expected == "unknown-function-error"
        }
        guard let result = try? expression.value(with: Value.null) else { return false }
        if let expected = item["expectSet"] {
            return result == .set(Set(expected.elements.map(\.value)))
        }
        return item["expect"].map { isNear(result, $0.value) } ?? false
    }

    private func expression(_ item: JSON) throws -> FetchExpression {
        if let format = item["expressionFormat"]?.text {
            return try FetchExpression(
                format: format,
                argumentArray: (item["args"]?.elements ?? []).map(\.value)
            )
        }
        if let operation = item["setOperation"]?.text {
            let left = FetchExpression.constant(item["left"]?.value ?? .null)
            let right = FetchExpression.constant(item["right"]?.value ?? .null)
            switch operation {
            case "union": return .union(left, right)
            case "intersect": return .intersect(left, right)
            default: return .minus(left, right)
            }
        }
        let arguments = item["args"]?.elements ?? []
        if let symbol = arguments.last?["$symbol"]?.text {
            let collection = FetchExpression.constant(arguments[0].value)
            switch symbol {
            case "FIRST": return .subscripted(collection, .first)
            case "LAST": return .subscripted(collection, .last)
            default: return .subscripted(collection, .size)
            }
        }
        return try .function(
            named: item["function"]?.text ?? "",
            arguments.map { .constant($0.value) }
        )
    }

    /// Equality, with a little room for floating point numbers.
    private func isNear(_ result: Value, _ expected: Value) -> Bool {
        if case .double(let wanted) = expected, let number = result.doubleValue {
            return abs(number - wanted) <= 1e-12 * max(1, abs(wanted))
        }
        return result == expected
    }

    // MARK: Key paths

    private func passes(keyPathCase item: JSON, fixtures: JSON) -> Bool {
        guard let receiver = receiver(item["receiver"]?.text ?? "", fixtures),
            let keyPath = item["keyPath"]?.text, let expected = item["expect"]
        else { return false }
        let result: Value
        do {
            result = try receiver.value(forKeyPath: keyPath)
        } catch {
            guard let code = (error as? ObjectGraphError)?.code else { return false }
            switch expected["raises"]?.text {
            case "NSUnknownKeyException": return code == .undefinedKey
            case "NSInvalidArgumentException": return code == .wrongValueKind
            case "NSDecimalNumberOverflowException": return code == .cannotEvaluate
            default: return false
            }
        }
        if expected["raises"] != nil { return false }
        if let count = expected["count"]?.number { return result.elements?.count == count }
        if expected["$nan"] != nil { return result.doubleValue?.isNaN ?? false }
        if item["compareAs"]?.text == "int" {
            return result.doubleValue.map { $0.rounded(.towardZero) } == expected.value.doubleValue
        }
        return isNear(result, expected.value)
    }

    private func receiver(_ name: String, _ fixtures: JSON) -> Value? {
        switch name {
        case "array:A": return fixtures["A"]?.value
        case "set:A": return fixtures["A"].map { .set(Set($0.elements.map(\.value))) }
        case "empty": return .array([])
        case "emptySet", "empty:set": return .set([])
        case "Bsets": return fixtures["B"].map { .array($0.elements.map(\.asSets)) }
        default: return fixtures[name]?.value
        }
    }
}
