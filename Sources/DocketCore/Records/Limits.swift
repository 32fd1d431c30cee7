/// How much of something one item, list or search may have.
///
/// Far more than anybody writes by hand, and little enough that no command, no screen and no export
/// takes long over it. They hold for whatever is added, edited or imported; what is stored already
/// stays readable.
package enum Limits {
    /// Tags of one item.
    package static let tags = 500
    /// Lists on the way to a list, itself included.
    package static let listLevels = 50
    /// Words of one search, and tags of one `docket list`.
    package static let searchWords = 100

    /// - Throws: ``InputError`` of kind `tooMuch`.
    package static func check(tags count: Int) throws(InputError) {
        if let message = refusal(ofTags: count) { throw InputError(.tooMuch, message + ".") }
    }

    /// - Throws: ``InputError`` of kind `tooMuch`.
    package static func check(listLevels count: Int) throws(InputError) {
        if let message = refusal(ofListLevels: count) { throw InputError(.tooMuch, message + ".") }
    }

    /// - Throws: ``InputError`` of kind `tooMuch`.
    package static func check(searchWords count: Int) throws(InputError) {
        if count <= searchWords { return }
        throw InputError(
            .tooMuch,
            "A search takes at most \(searchWords) words, not \(count); leave some out."
        )
    }

    /// Why so many tags are too many, without a full stop; `nil` if they are not.
    static func refusal(ofTags count: Int) -> String? {
        count <= tags ? nil : "An item can have at most \(tags) tags, not \(count)"
    }

    static func refusal(ofListLevels count: Int) -> String? {
        count <= listLevels
            ? nil : "Lists can be at most \(listLevels) levels deep, not \(count)"
    }
}
