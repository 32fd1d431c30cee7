import CivilTime
public import ObjectGraph

extension HistoryStep {
    /// The name of the step; one that a program saved without a name is a change.
    public var title: String { name.map(Phrase.step) ?? localized("A change") }

    /// What an undo or a redo did, without a full stop: `Undid: completed "Pay rent"`.
    ///
    /// A step of an older version keeps its name in the form of a menu: `Undid: complete task`.
    public func sentence(undone: Bool) -> String {
        undone ? localized("Undid: \(phrase)") : localized("Redid: \(phrase)")
    }

    /// The name inside a sentence: `completed "Pay rent"`.
    var phrase: String { HistoryStep.phrase(title) }

    static func phrase(_ name: String) -> String {
        if Language.current != .english { return name }
        if isMenuTitle(name) { return name.lowercased() }
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Whether a name has the form of a menu title, such as `Set Due Date of 3 Tasks`: all words but
    /// "of" and numbers begin with a capital letter.
    ///
    /// The names of this version have a word in lower case, or a title in quotation marks.
    private static func isMenuTitle(_ name: String) -> Bool {
        if name.contains("\"") { return false }
        return name.split(separator: " ").allSatisfy { word in
            word == "of" || word.first.map { $0.isUppercase || $0.isNumber } ?? false
        }
    }
}
