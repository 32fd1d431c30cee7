import DocketFormats
import ObjectGraph

/// What happens to an item whose list does not exist.
public enum NewLists: String, CaseIterable, Sendable {
    /// Who adds it is asked; where nobody can answer, it is refused.
    case ask
    /// The list is created with the item, and undone with it.
    case yes
    /// The item is refused.
    case no
}

extension Library {
    /// Whether a list of this path would be created; false for an empty path.
    ///
    /// Cost: one small statement for each level.
    public func isNewList(_ path: [String]) throws -> Bool {
        try !path.isEmpty && existingList(path: path.map(CaptureText.cleanLine)) == nil
    }

    /// Runs verbs that may create lists, after somebody was asked.
    public func creatingLists<Result>(_ body: () throws -> Result) rethrows -> Result {
        let former = newLists
        newLists = .yes
        defer { newLists = former }
        return try body()
    }

    /// Refuses a path whose list does not exist, if it is not to be created; part of a verb.
    ///
    /// - Throws: `InputError`, one sentence.
    func checkNewList(_ path: [String]) throws {
        guard newLists != .yes, try isNewList(path) else { return }
        let name = ListPath.string(path)
        throw InputError(
            .badReference,
            "The list \(StepName.short(path)) does not exist; docket lists add "
                + "\(name.contains(" ") ? "'\(name)'" : name) creates it."
        )
    }
}
