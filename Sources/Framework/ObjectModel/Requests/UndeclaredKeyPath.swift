/// A Swift key path that leads to something that is not a property of the model, as a key that no
/// entity has: requests are built without an error, and their check names it.
package enum UndeclaredKeyPath {
    private static let mark: Character = "\u{1}"
    /// Stands for a full stop, at which a key path would be taken apart.
    private static let stop = "\u{2}"

    /// The key for a Swift key path.
    public static func key(for keyPath: AnyKeyPath) -> String { key(for: name(of: keyPath)) }

    /// The key for what messages call by a text.
    public static func key(for text: String) -> String {
        String(mark) + text.replacing(".", with: stop)
    }

    /// A key path in messages: in Swift's words, or by its types where a program without symbols
    /// has no name for it.
    package static func name(of keyPath: AnyKeyPath) -> String {
        let text = "\(keyPath)"
        guard text.contains("<computed") else { return text }
        return "a computed \(type(of: keyPath).valueType) of \(type(of: keyPath).rootType)"
    }

    /// The error for a key that stands for a key path.
    ///
    /// - Parameters:
    ///   - key: a key of a request.
    ///   - place: what names it, at the start of a sentence.
    /// - Returns: `nil` for any other key.
    package static func error(_ key: String, in place: String) -> ObjectGraphError? {
        guard key.first == mark else { return nil }
        let name = String(key.dropFirst()).replacing(stop, with: ".")
        return ObjectGraphError(
            .undefinedKey,
            "\(place) names \(name), which is not a property of the model.",
            recovery:
                "Name a property that is declared with @Managed, or filter and sort the results"
                + " in memory.",
            key: name
        )
    }
}
