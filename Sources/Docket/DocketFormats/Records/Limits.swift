/// The limits of one item, list or search.
///
/// They are far above what people write by hand, and low enough that no command, no screen and no
/// export takes long. They apply to everything that is added, edited or imported; stored data stays
/// readable.
public enum Limits {
    /// Tags of one item.
    public static let tags = 500
    /// The depth of a list, itself included.
    public static let listLevels = 50
    /// Tasks for which one waits, or that wait for one, named at once.
    public static let blockers = 500
    /// Bytes of a title, of notes, and of a note's text; an item with such ones can be exported and
    /// imported (``ByteSource/itemLimit``).
    public static let textBytes = 8 << 20
    /// Words of one search, and tags of one `docket list`.
    public static let searchWords = 100

    /// Checks the number of tags.
    ///
    /// - Throws: ``InputError`` of kind `tooMuch`.
    public static func check(tags count: Int) throws(InputError) {
        if let message = refusal(ofTags: count) { throw InputError(.tooMuch, "\(message).") }
    }

    /// Checks the length of a text.
    ///
    /// - Throws: ``InputError`` of kind `tooMuch`.
    public static func check(text: String?) throws(InputError) {
        if let message = refusal(ofText: text) { throw InputError(.tooMuch, "\(message).") }
    }

    /// Checks the depth of a list.
    ///
    /// - Throws: ``InputError`` of kind `tooMuch`.
    public static func check(listLevels count: Int) throws(InputError) {
        if let message = refusal(ofListLevels: count) { throw InputError(.tooMuch, "\(message).") }
    }

    /// Checks the number of words.
    ///
    /// - Throws: ``InputError`` of kind `tooMuch`.
    public static func check(searchWords count: Int) throws(InputError) {
        if count <= searchWords { return }
        throw InputError(
            .tooMuch,
            "A search takes at most \(searchWords) words, not \(count); leave some out."
        )
    }

    /// Why this number of tags is too large, without a full stop; `nil` if it is not.
    public static func refusal(ofTags count: Int) -> String? {
        count <= tags ? nil : "An item can have at most \(tags) tags, not \(count)"
    }

    public static func refusal(ofText text: String?) -> String? {
        let count = text?.utf8.count ?? 0
        return count <= textBytes
            ? nil : "A text can have at most \(textBytes >> 20) MB, not \((count >> 20) + 1)"
    }

    public static func refusal(ofListLevels count: Int) -> String? {
        count <= listLevels
            ? nil : "Lists can be at most \(listLevels) levels deep, not \(count)"
    }
}
