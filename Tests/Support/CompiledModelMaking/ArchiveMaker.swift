import CZlib
package import FoundationEssentials

/// A value of a keyed archive, for tests that make one.
package indirect enum Archived {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    case array([Archived])
    case set([Archived])
    case dictionary([(String, Archived)])
    /// A dictionary with a fixed set of keys, which has a form of its own.
    case known([(String, Archived)])
    case object(String, [(String, Archived)])
    /// The object that was given this name in ``ArchiveMaker``, so that objects can form circles.
    case named(String)
}

/// Writes keyed archives in binary property lists.
package struct ArchiveMaker {
    /// Packs bytes as Core Data does: a raw stream, without the header and the sum of zlib.
    package static func packed(_ data: Data) -> Data {
        var count = compressBound(uLong(data.count))
        var result = Data(count: Int(count))
        let code = result.withUnsafeMutableBytes { output in
            data.withUnsafeBytes { input in
                compress2(
                    output.bindMemory(to: UInt8.self).baseAddress,
                    &count,
                    input.bindMemory(to: UInt8.self).baseAddress,
                    uLong(input.count),
                    Z_BEST_COMPRESSION
                )
            }
        }
        precondition(code == Z_OK, "zlib could not pack the bytes: \(code)")
        return Data(result.prefix(Int(count)).dropFirst(2).dropLast(4))
    }

    /// An element of the property list.
    private enum Element {
        case null
        case flag(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case data(Data)
        case uid(Int)
        case array([Int])
        case dictionary([(Int, Int)])
    }

    private var elements: [Element] = []
    /// The elements in `$objects`.
    private var objects: [Int] = []
    private var objectByName: [String: Int] = [:]
    private var classes: [String: Int] = [:]
    private let named: [String: Archived]

    /// The bytes of an archive.
    package static func data(_ root: Archived, named: [String: Archived] = [:]) -> Data {
        var maker = ArchiveMaker(named: named)
        return maker.make(root)
    }

    private init(named: [String: Archived]) { self.named = named }

    private mutating func make(_ root: Archived) -> Data {
        let null = add(.text("$null"))
        objects = [null]
        let top = reference(root)
        let list = elements.count
        elements.append(.array([]))
        let topList = add(.dictionary([(add(.text("root")), top)]))
        let whole = add(
            .dictionary([
                (add(.text("$version")), add(.integer(100_000))),
                (add(.text("$archiver")), add(.text("NSKeyedArchiver"))),
                (add(.text("$top")), topList), (add(.text("$objects")), list),
            ])
        )
        elements[list] = .array(objects)
        return bytes(top: whole)
    }

    private mutating func add(_ element: Element) -> Int {
        elements.append(element)
        return elements.count - 1
    }

    /// An element that refers to an object of the archive.
    private mutating func reference(_ value: Archived) -> Int {
        switch value {
        case .null: return add(.uid(0))
        case .named(let name): return add(.uid(object(named: name)))
        default: return add(.uid(object(value)))
        }
    }

    private mutating func object(named name: String) -> Int {
        if let known = objectByName[name] { return known }
        let place = objects.count
        objects.append(0)
        objectByName[name] = place
        objects[place] = element(of: named[name] ?? .null)
        return place
    }

    private mutating func object(_ value: Archived) -> Int {
        let place = objects.count
        objects.append(0)
        objects[place] = element(of: value)
        return place
    }

    private mutating func element(of value: Archived) -> Int {
        switch value {
        case .null, .named: return add(.null)
        case .flag(let flag): return add(.flag(flag))
        case .integer(let number): return add(.integer(number))
        case .real(let number): return add(.real(number))
        case .text(let text): return add(.text(text))
        case .data(let data): return add(.data(data))
        case .array(let items): return collection("NSArray", [("NS.objects", items)])
        case .set(let items): return collection("NSSet", [("NS.objects", items)])
        case .dictionary(let pairs):
            return collection(
                "NSDictionary",
                [("NS.keys", pairs.map { .text($0.0) }), ("NS.objects", pairs.map(\.1))]
            )
        case .known(let pairs):
            return fields(
                "NSKnownKeysDictionary1",
                [
                    (
                        "searchMapping",
                        .object(
                            "NSKnownKeysMappingStrategy1",
                            [
                                ("keys", .array(pairs.map { .text($0.0) }))
                            ]
                        )
                    ),
                    ("values", .array(pairs.map(\.1))), ("emptyToken", .text("__empty__")),
                ]
            )
        case .object(let name, let pairs): return fields(name, pairs)
        }
    }

    private mutating func collection(_ name: String, _ lists: [(String, [Archived])]) -> Int {
        var pairs: [(Int, Int)] = []
        for (key, items) in lists {
            let references = items.map { reference($0) }
            pairs.append((add(.text(key)), add(.array(references))))
        }
        pairs.append((add(.text("$class")), classReference(name)))
        return add(.dictionary(pairs))
    }

    private mutating func fields(_ name: String, _ fields: [(String, Archived)]) -> Int {
        var pairs: [(Int, Int)] = []
        for (key, value) in fields {
            // Numbers and truth values are in the object itself, all else is referred to.
            let found: Int
            switch value {
            case .flag, .integer, .real: found = element(of: value)
            default: found = reference(value)
            }
            pairs.append((add(.text(key)), found))
        }
        pairs.append((add(.text("$class")), classReference(name)))
        return add(.dictionary(pairs))
    }

    private mutating func classReference(_ name: String) -> Int {
        if let known = classes[name] { return add(.uid(known)) }
        let place = objects.count
        objects.append(0)
        classes[name] = place
        let list = [add(.text(name)), add(.text("NSObject"))]
        let pairs = [
            (add(.text("$classname")), add(.text(name))),
            (add(.text("$classes")), add(.array(list))),
        ]
        objects[place] = add(.dictionary(pairs))
        return add(.uid(place))
    }

    // MARK: Bytes

    private func bytes(top: Int) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [Int] = []
        func number(_ value: UInt64, _ size: Int) {
            for shift in (0..<size).reversed() {
                data.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift)))
            }
        }
        func marker(_ kind: UInt8, _ count: Int) {
            if count < 15 {
                data.append(kind << 4 | UInt8(count))
            } else {
                data.append(kind << 4 | 15)
                data.append(0x12)
                number(UInt64(count), 4)
            }
        }
        for element in elements {
            offsets.append(data.count)
            switch element {
            case .null: data.append(0)
            case .flag(let flag): data.append(flag ? 9 : 8)
            case .integer(let value):
                data.append(0x13)
                number(UInt64(bitPattern: value), 8)
            case .real(let value):
                data.append(0x23)
                number(value.bitPattern, 8)
            case .text(let text) where text.utf8.allSatisfy { $0 < 128 }:
                marker(5, text.utf8.count)
                data.append(contentsOf: text.utf8)
            case .text(let text):
                marker(6, text.utf16.count)
                for unit in text.utf16 { number(UInt64(unit), 2) }
            case .data(let value):
                marker(4, value.count)
                data.append(value)
            case .uid(let place):
                data.append(0x81)
                number(UInt64(place), 2)
            case .array(let members):
                marker(0xa, members.count)
                for member in members { number(UInt64(member), 2) }
            case .dictionary(let pairs):
                marker(0xd, pairs.count)
                for pair in pairs { number(UInt64(pair.0), 2) }
                for pair in pairs { number(UInt64(pair.1), 2) }
            }
        }
        let table = data.count
        for offset in offsets { number(UInt64(offset), 4) }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 2])
        number(UInt64(elements.count), 8)
        number(UInt64(top), 8)
        number(UInt64(table), 8)
        return data
    }
}
