/// A Swift key path that leads to something that is not a property of the model, as a key that no
/// entity has: requests are built without an error, and their check names it.
package enum UndeclaredKeyPath {
    private static let mark: Character = "\\"
    /// Stands for a full stop, at which a key path would be taken apart.
    private static let stop = "\u{2024}"

    package static func key(for text: String) -> String {
        (text.first == mark ? text : String(mark) + text).replacing(".", with: stop)
    }

    /// The Swift key path that a key stands for; `nil` for any other key.
    static func text(of key: String) -> String? {
        key.first == mark ? key.replacing(stop, with: ".") : nil
    }
}
