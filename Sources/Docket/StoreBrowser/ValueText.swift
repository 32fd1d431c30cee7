import FoundationEssentials
import Phrases
import StoreExploring
import TerminalUI

extension InspectedValue {
    /// The value in one line.
    var shown: String {
        switch self {
        case .null: return "–"
        case .flag(let flag): return localized(flag ? "yes" : "no")
        case .integer(let number): return String(number)
        case .real(let number): return "\(number)"
        case .decimal(let number): return number.description
        case .text(let text):
            // A line shows the beginning only; the rest of a long text is not looked at.
            return DisplayWidth.singleLine(String(text.prefix(1000)))
        case .date(let date):
            if InspectedValue.isShown(date) {
                return date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
            }
            return "\(date.timeIntervalSinceReferenceDate) s"
        case .uuid(let uuid): return uuid.uuidString
        case .uri(let url): return DisplayWidth.singleLine(url.absoluteString)
        case .data(let count): return Phrase(count, "byte").text
        case .object(let identifier): return InspectedValue.short(identifier)
        case .objects(_, let count): return Phrase(count, "object").text
        }
    }

    /// `Person p12` of `x-coredata://…/Person/p12`.
    static func short(_ identifier: String) -> String {
        identifier.split(separator: "/").suffix(2).joined(separator: " ")
    }

    /// Whether the value leads to other objects.
    var isLink: Bool {
        switch self {
        case .object: true
        case .objects(_, let count): count > 0
        default: false
        }
    }
}
