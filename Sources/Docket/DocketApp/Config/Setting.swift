import DocketFormats
import Phrases

/// A row of the table of settings: what the file, the settings screen, `docket config`, completion
/// and the manual need for a setting.
///
/// To add one, add a row to ``plain``. Colours, symbols, the keys of commands and folders have rows
/// of their own, made from the tables of roles, signs and commands.
public struct Setting: Sendable {
    /// The parts of the settings screen.
    enum Section: String, CaseIterable, Sendable {
        case look = "Look"
        case dates = "Dates"
        case keys = "Keys"
        case lists = "Lists"
        case reminders = "Reminders"
        case data = "Data"

        var title: String { Phrase(stringLiteral: rawValue).text }
    }

    /// How a value is chosen.
    enum Kind: Sendable {
        /// One of some texts.
        case choice([String])
        /// Some of some texts, in an order.
        case order([String])
        case flag
        /// A number of a range, which changes by a step.
        case number(ClosedRange<Int>, step: Int)
        /// A text; the example shows which.
        case text
        case color
        /// A character; some of those that suit.
        case sign([String])
        /// The keys of a command.
        case keys(String)
    }

    typealias Entry = ConfigFile.Entry

    /// Its table in the file; empty for a setting at the beginning of it.
    let table: String
    let key: String
    let section: Section
    /// The heading above it in its part; empty for none.
    var group = ""
    let titlePhrase: Phrase
    var title: String { titlePhrase.text }
    let helpPhrase: Phrase
    /// One sentence.
    var help: String { helpPhrase.text }
    let kind: Kind
    /// A value for the manual.
    let example: Entry
    /// What counts where the setting has no value, in words.
    var unset: String { unsetPhrase.text }
    let unsetPhrase: Phrase
    /// The value that counts; `nil` if there is none.
    let value: @Sendable (Settings) -> Entry?
    /// Takes a value of the file over, or says in a sentence why that is not possible.
    let read: @Sendable (Entry, inout Settings) -> String?

    /// The name for the shell: `theme`, `history.steps`, `keys.item.done`.
    public var name: String { table.isEmpty ? key : "\(table).\(key)" }

    /// The texts that can be its value; empty if there are too many.
    public var choices: [String] {
        switch kind {
        case .choice(let texts), .order(let texts), .sign(let texts): texts
        case .flag: ["true", "false"]
        case .color: ColorName.names
        case .number, .text, .keys: []
        }
    }

    /// What the file may have as its value, in words.
    var domain: String {
        switch kind {
        case .choice(let texts): texts.listed(localized("or"))
        case .order(let texts): localized("some of \(texts.listed(localized("and")))")
        case .flag: localized("true or false")
        case .number(let range, _):
            range.upperBound == .max
                ? localized("a number from \(range.lowerBound)")
                : localized("a number from \(range.lowerBound) to \(range.upperBound)")
        case .text: localized("a text, like \(example.text)")
        case .color: localized("a name, 0 to 255, or #rrggbb")
        case .sign: localized("one character of one column")
        case .keys: localized("a key, or several")
        }
    }

    /// The value after or before another one, for the arrows; `nil` if there is none, or if it must be
    /// typed.
    func next(_ entry: Entry?, by step: Int) -> Entry? {
        switch (kind, entry) {
        case (.choice(let texts), .string(let text)?):
            guard let place = texts.firstIndex(of: text) else { return nil }
            return .string(texts[(place + step + texts.count) % texts.count])
        case (.choice(let texts), nil): return .string(texts[step > 0 ? 0 : texts.count - 1])
        case (.flag, .boolean(let flag)?): return .boolean(!flag)
        case (.number(let range, let width), .integer(let number)?):
            let (sum, isTooMuch) = number.addingReportingOverflow(step * width)
            return isTooMuch ? nil : .integer(min(max(range.lowerBound, sum), range.upperBound))
        case (.number, nil): return example
        default: return nil
        }
    }
}
