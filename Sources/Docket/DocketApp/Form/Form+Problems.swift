import DocketCore
import ObjectGraph

extension Form {
    /// Checks every field by the object's rules, for the sentences below the fields.
    func check() {
        for field in fields {
            if field.checksItself { continue }
            field.problem = nil
            if field.key == Item.Keys.title, field.text.allSatisfy(\.isWhitespace) {
                field.problem = localized("An item needs a title; write some words.")
                continue
            }
            guard item.entity.property(named: field.key) is AttributeDescription else {
                continue
            }
            var value = field.value
            do {
                try item.validateValue(&value, forKey: field.key)
            } catch let error as ObjectGraphError {
                field.problem = error.rule.map(Form.sentence) ?? error.message
            } catch {
                field.problem = "\(error)"
            }
        }
    }

    /// What is wrong, as far as the user had a chance to avoid it.
    var shownProblem: String? { fields.lazy.compactMap(\.shownProblem).first }

    /// A rule as a sentence.
    static func sentence(_ rule: ValidationRule) -> String {
        switch rule {
        case .required: localized("A value is needed.")
        case .minimum(let value): localized("At least \(number(value)).")
        case .maximum(let value): localized("At most \(number(value)).")
        case .minimumLength(let length):
            localized("At least \(Phrase(length, "character")).")
        case .maximumLength(let length): localized("At most \(length) characters.")
        case .pattern(let pattern): localized("It has to match the pattern \(pattern).")
        case .minimumCount(let count): localized("At least \(count) of them.")
        case .maximumCount(let count): localized("At most \(count) of them.")
        case .predicate(_, let message): message
        }
    }

    private static func number(_ value: GraphValue) -> String {
        switch value {
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        default: localized("a certain value")
        }
    }
}
