import FoundationEssentials
import ObjectModel
import ObjectStore

extension TextStore {
    /// The model that a text shows: its entities, and their properties as texts.
    ///
    /// A line does not say what is a number, and what refers to another object.
    static func deduce(from url: URL) throws -> ManagedObjectModel? {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return nil }
        return try FormatProblem.naming(url) {
            var found = DeducedEntities()
            try data.withUnsafeBytes { bytes in
                try TextParts.eachLine(of: bytes) { line, _ in
                    if line.isEmpty || line[0] == UInt8(ascii: "#") { return }
                    var fields = TextParts(line)
                    guard let name = fields.next(before: UInt8(ascii: "|")) else { return }
                    let entity = try TextEscaping.unescaped(name)
                    found.add(entity: entity)
                    _ = fields.next(before: UInt8(ascii: "|"))
                    while let field = fields.next(before: UInt8(ascii: "|")) {
                        var parts = TextParts(field)
                        let name = parts.next(before: UInt8(ascii: "=")) ?? field
                        let attribute = try TextEscaping.unescaped(name)
                        found.add(attribute: attribute, .string, of: entity)
                    }
                }
            }
            return found.model()
        }
    }
}
