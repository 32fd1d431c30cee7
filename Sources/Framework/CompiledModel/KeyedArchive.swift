import FoundationEssentials
import ObjectModel

/// The objects of a keyed archive, read when they are asked for.
///
/// An archive is a property list with the objects in one array, `$objects`. An object refers to
/// another one by a UID, its place in the array; so references may form circles, and the caller
/// decides how deep it follows them.
final class KeyedArchive {
    private var list: BinaryPropertyList
    private var elements: [Int: BinaryPropertyList.Element] = [:]
    private var fields: [Int: [String: Int]] = [:]
    /// The property list's numbers of the archive's objects.
    private var objects: [Int] = []

    init(_ data: Data) throws {
        list = try CompiledModelProblem.naming { try BinaryPropertyList(data) }
        let top = try members(of: list.top)
        guard let archiver = top["$archiver"],
            case .text("NSKeyedArchiver") = try element(archiver),
            let found = top["$objects"], case .array(let objects) = try element(found)
        else { throw CompiledModelProblem("it is not a keyed archive") }
        self.objects = objects
    }

    var root: Object {
        get throws {
            let top = try members(of: list.top)
            guard let found = top["$top"], let root = try members(of: found)["root"] else {
                throw CompiledModelProblem("it has no root object")
            }
            return Object(archive: self, index: try resolved(root))
        }
    }

    private func element(_ index: Int) throws -> BinaryPropertyList.Element {
        if let known = elements[index] { return known }
        let element = try CompiledModelProblem.naming { try list.element(index) }
        elements[index] = element
        return element
    }

    /// The values of a dictionary by key; empty for another object.
    private func members(of index: Int) throws -> [String: Int] {
        if let known = fields[index] { return known }
        var result: [String: Int] = [:]
        if case .dictionary(let pairs) = try element(index) {
            for pair in pairs {
                if case .text(let key) = try element(pair.key) { result[key] = pair.value }
            }
        }
        fields[index] = result
        return result
    }

    /// Follows a UID; another object stands for itself.
    private func resolved(_ index: Int) throws -> Int {
        guard case .uid(let number) = try element(index) else { return index }
        guard number < objects.count else {
            throw CompiledModelProblem("it refers to an object that it does not have")
        }
        return objects[number]
    }

    /// An object of the archive.
    ///
    /// What is absent, or of another kind than is asked for, is `nil` or empty.
    struct Object: Hashable {
        fileprivate let archive: KeyedArchive
        fileprivate let index: Int

        static func == (left: Object, right: Object) -> Bool { left.index == right.index }

        func hash(into hasher: inout Hasher) { hasher.combine(index) }

        private func element() throws -> BinaryPropertyList.Element {
            try archive.element(index)
        }

        /// The object of a field; `nil` if the field is absent or nil.
        func field(_ key: String) throws -> Object? {
            guard let found = try archive.members(of: index)[key] else { return nil }
            let object = Object(archive: archive, index: try archive.resolved(found))
            if case .text("$null") = try object.element() { return nil }
            return object
        }

        func text(_ key: String) throws -> String? {
            try field(key)?.text()
        }

        func integer(_ key: String) throws -> Int64? {
            try field(key)?.integer()
        }

        func flag(_ key: String) throws -> Bool {
            guard let found = try field(key) else { return false }
            switch try found.element() {
            case .flag(let flag): return flag
            case .integer(let number): return number != 0
            default: return false
            }
        }

        /// The text of a string, in whichever class.
        func text() throws -> String? {
            switch try element() {
            case .text(let text): return text
            case .dictionary: return try text("NS.string")
            default: return nil
            }
        }

        func integer() throws -> Int64? {
            if case .integer(let number) = try element() { return number }
            return nil
        }

        /// A number or a truth value in its own kind.
        enum Number {
            case flag(Bool)
            case integer(Int64)
            case real(Double)
        }

        func number() throws -> Number? {
            switch try element() {
            case .flag(let flag): return .flag(flag)
            case .integer(let number): return .integer(number)
            case .real(let number): return .real(number)
            case .dictionary:
                // An NSNumber that was archived as an object of its own.
                for key in ["NS.boolval", "NS.intval", "NS.dblval"] {
                    guard let found = try field(key) else { continue }
                    if key == "NS.boolval" { return .flag(try flag(key)) }
                    return try found.number()
                }
                return nil
            default: return nil
            }
        }

        /// The bytes of data, in whichever class.
        func data() throws -> Data? {
            switch try element() {
            case .data(let data): return data
            case .dictionary: return try field("NS.data")?.data()
            default: return nil
            }
        }

        func className() throws -> String? {
            try field("$class")?.text("$classname")
        }

        /// The objects of an array or a set.
        func items() throws -> [Object] { try list("NS.objects") }

        private func list(_ key: String) throws -> [Object] {
            guard let found = try archive.members(of: index)[key],
                case .array(let members) = try archive.element(try archive.resolved(found))
            else { return [] }
            var result: [Object] = []
            result.reserveCapacity(members.count)
            for member in members {
                result.append(Object(archive: archive, index: try archive.resolved(member)))
            }
            return result
        }

        /// The keys and values of a dictionary whose keys are strings, in the archive's order.
        func pairs() throws -> [(key: String, value: Object)] {
            let keys: [Object]
            let values: [Object]
            if let mapping = try field("searchMapping") {
                // A dictionary with known keys: one array of keys, one of values.
                keys = try mapping.field("keys")?.items() ?? []
                values = try field("values")?.items() ?? []
            } else {
                keys = try list("NS.keys")
                values = try items()
            }
            let empty = try field("emptyToken")
            var result: [(String, Object)] = []
            for (key, value) in zip(keys, values) where value != empty {
                if let name = try key.text() { result.append((name, value)) }
            }
            return result
        }
    }
}
