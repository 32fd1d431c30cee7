import CivilTime
import FoundationEssentials
import ObjectGraph
import SearchLanguage

/// Makes conditions of a search's tree.
///
/// `+Values` has what the values of each kind of field mean.
struct QueryCompiler {
    let names: QueryNames
    let dates: QueryDates
    let clock: DateContext
    private(set) var problems: [QueryProblem] = []

    init(names: QueryNames, clock: DateContext) {
        self.names = names
        self.clock = clock
        dates = QueryDates(clock)
    }

    /// Why a value cannot be used.
    struct Failure: Error {
        var kind = QueryProblem.Kind.wrong
        let sentence: String
    }

    /// What is understood of a tree, and its conditions.
    mutating func compile(
        _ expression: QueryExpression
    ) -> (kept: QueryExpression, compiled: CompiledQuery) {
        switch expression {
        case .everything: return (.everything, .everything)
        case .text(let text):
            // A text without anything that counts, such as an accent alone, is in every text.
            if QueryNames.folded(text.text).isEmpty { return (.everything, .everything) }
            guard let term = marked(text) else { return (expression, .text(text.text)) }
            return compile(.term(term))
        case .term(let term):
            guard let compiled = compile(term) else { return (.everything, .everything) }
            return (expression, compiled)
        case .not(let inner):
            let (kept, compiled) = compile(inner)
            return compiled == .everything ? (kept, compiled) : (kept.negated, .not(compiled))
        case .and(let parts):
            let (kept, compiled) = compile(parts)
            return (.all(kept), compiled.count > 1 ? .and(compiled) : compiled.first ?? .everything)
        case .or(let parts):
            let (kept, compiled) = compile(parts)
            return (.any(kept), compiled.count > 1 ? .or(compiled) : compiled.first ?? .everything)
        }
    }

    /// `+Home`, `#phone`, `@Bank`, as they are written in a new item: the condition that they mean.
    ///
    /// `nil` for a text: in quotes, without a letter behind the sign, and where the beginning of a tag or
    /// no location has this name, so that the text finds more.
    private func marked(_ text: QueryText) -> QueryTerm? {
        guard let sign = text.text.first, let first = text.text.dropFirst().first, first.isLetter,
            text.range.isEmpty || text.range.count == text.text.utf8.count
        else { return nil }
        let name = String(text.text.dropFirst())
        let folded = QueryNames.folded(name)
        func term(_ field: String) -> QueryTerm {
            let value = QueryText(name, range: text.range)
            return QueryTerm(field, .fits, [value], range: text.range)
        }
        switch sign {
        case "+": return term("list")
        case "#":
            let isBeginning =
                names.tags(named: name).isEmpty && !names.tags(containing: "#" + folded).isEmpty
            return isBeginning ? nil : term("tag")
        case "@":
            return names.locations.contains { $0.folded.contains(folded) } ? term("location") : nil
        default: return nil
        }
    }

    private mutating func compile(
        _ parts: [QueryExpression]
    ) -> (kept: [QueryExpression], compiled: [CompiledQuery]) {
        var kept: [QueryExpression] = []
        var compiled: [CompiledQuery] = []
        for part in parts {
            let one = compile(part)
            if one.compiled == .everything { continue }
            kept.append(one.kept)
            compiled.append(one.compiled)
        }
        return (kept, compiled)
    }

    /// The conditions of a term; `nil` if a value of it is not understood.
    private mutating func compile(_ term: QueryTerm) -> CompiledQuery? {
        guard let field = QueryField.named(term.field) else { return nil }
        var parts: [CompiledQuery] = []
        // A value that is wrong makes the whole term unusable: the others alone ask for less.
        var isUsable = true
        for value in term.values {
            do throws(Failure) {
                parts.append(try compile(field, term.comparison, value.text))
                // The condition counts nevertheless: it finds nothing.
                if let sentence = missing(field, term.comparison, value.text) {
                    problems.append(QueryProblem(.wrong, value.range, sentence))
                }
            } catch {
                problems.append(QueryProblem(error.kind, value.range, error.sentence))
                isUsable = false
            }
        }
        guard isUsable, let first = parts.first else { return nil }
        if parts.count == 1 { return first }
        // Unequal to each of some values; equal to one of them.
        return term.comparison == .notEqual ? .and(parts) : .or(parts)
    }

    private func compile(
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> CompiledQuery {
        if comparison == .notEqual { return .not(try compile(field, .equal, value)) }
        if value.isEmpty {
            throw Failure(kind: .incomplete, sentence: localized("\(field.name): needs a value."))
        }
        switch field.kind {
        case .text: return try text(field, comparison, value)
        case .date(let date): return .condition(try self.date(date, field, comparison, value))
        case .number: return .condition(try number(field, comparison, value))
        case .priority: return .condition(try priority(field, comparison, value))
        case .estimate: return .condition(try estimate(field, comparison, value))
        case .list, .tag, .state, .presence, .repetition, .location, .relation, .links:
            guard comparison == .fits || comparison == .equal else {
                throw Failure(
                    sentence: localized(
                        "\(field.name): has no order; write \(field.name):\(value)."
                    )
                )
            }
            switch field.kind {
            case .list: return .condition(try list(value, alone: comparison == .equal))
            case .tag: return .condition(try tag(value))
            case .location:
                return .condition(try location(value, whole: comparison == .equal))
            case .relation(let ties): return .condition(try related(ties, value))
            case .links: return .condition(try links(value))
            case .state: return .condition(try state(value))
            case .presence: return .condition(try presence(value))
            default: return .condition(try repetition(value))
            }
        }
    }
}
