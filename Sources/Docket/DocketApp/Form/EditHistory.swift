/// The content of a form after each edit, for the form's own undo.
struct EditHistory<Content: Equatable> {
    private var contents: [Content]
    /// Where undo stands.
    private var place = 0

    init(_ content: Content) { contents = [content] }

    /// Makes the edits since the last time one step of undo.
    mutating func endEdit(_ content: Content) {
        guard content != contents[place] else { return }
        contents.removeSubrange((place + 1)...)
        contents.append(content)
        place += 1
    }

    /// Goes one step back or forth.
    ///
    /// - Returns: the content there; `nil` at the end.
    mutating func step(back: Bool) -> Content? {
        let target = place + (back ? -1 : 1)
        guard contents.indices.contains(target) else { return nil }
        place = target
        return contents[target]
    }
}
