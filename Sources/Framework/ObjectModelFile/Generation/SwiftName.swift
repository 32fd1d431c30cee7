/// What may be a name in generated code.
enum SwiftName {
    /// Members of every managed object that a property would clash with.
    static let taken: Set<String> = [
        "context", "description", "entity", "entityName", "entityNames", "hasChanges", "hash",
        "hashValue", "init", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectID", "objectID", "self", "Keys", "Self", "Type",
    ]

    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while", "Any", "Protocol",
    ]

    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The name as it is written in a declaration.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// The name with its first letter in upper case.
    static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
