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
            for line in data.split(separator: UInt8(ascii: "\n")) {
                guard var text = String(validating: line, as: UTF8.self)?[...] else {
                    throw FormatProblem("it is not UTF-8")
                }
                if text.hasSuffix("\r") { text = text.dropLast() }
                if text.isEmpty || text.first == "#" { continue }
                let fields = TextEscaping.split(text, at: UInt8(ascii: "|"))
                let entity = try TextEscaping.unescaped(fields[0])
                found.add(entity: entity)
                for field in fields.dropFirst(2) {
                    let parts = TextEscaping.split(field, at: UInt8(ascii: "="), limit: 2)
                    let name = try TextEscaping.unescaped(parts[0])
                    found.add(attribute: name, .string, of: entity)
                }
            }
            return found.model()
        }
    }
}
