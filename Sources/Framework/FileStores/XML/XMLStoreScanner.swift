import FoundationEssentials
import Glibc
import ObjectModel
import XMLReading

/// Reads the objects of a document that is exactly in the form in which ``XMLStoreWriting`` writes
/// it, without a parser of XML.
///
/// It compares the markup that it expects with the bytes, and gives up at the first byte that is
/// different: other blanks, another order, a comment, an entity, a value of another type, an ID
/// that occurs twice. So it needs no errors, and a document that it reads has the same meaning for
/// the parser. `XMLStoreTests` and the fuzzed parser `xml-store` compare the two.
struct XMLStoreScanner {
    // Safety: whoever makes a scanner keeps the bytes while it scans.
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    private let entities: [Entity]
    private let properties: [Property]
    /// The markup of all entities and properties.
    private let markup: [UInt8]

    /// Holds what the unmanaged references below lead to, for as long as the scanner is used.
    private let forms: [XMLEntity]

    // These are read for each value, so they hold no references that are counted.

    // Safety: `forms` holds it.
    private struct Entity {
        let form: Unmanaged<XMLEntity>
        /// Its place in the scanner's ``markup``.
        let markup: Range<Int>
        /// Its place in the scanner's ``properties``.
        let properties: Range<Int>
    }

    // Safety: `forms` holds it.
    private struct Property {
        let property: Unmanaged<PropertyDescription>
        /// `nil` for a relationship.
        let type: AttributeType?
        let slot: Int
        let markup: Range<Int>
    }

    /// - Parameters:
    ///   - bytes: what comes behind the head of the document.
    ///   - forms: the entities of the store.
    init(_ bytes: Slice<UnsafeRawBufferPointer>, _ forms: [XMLEntity]) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes)
        self.forms = forms
        var entities: [Entity] = []
        var properties: [Property] = []
        var markup: [UInt8] = []
        func place(of bytes: ContiguousArray<UInt8>) -> Range<Int> {
            markup.append(contentsOf: bytes)
            return markup.count - bytes.count..<markup.count
        }
        for form in forms {
            let first = properties.count
            for property in form.properties {
                properties.append(
                    Property(
                        property: .passUnretained(property.property),
                        type: (property.property as? AttributeDescription)?.type,
                        slot: property.property.slot,
                        markup: place(of: property.markup)
                    )
                )
            }
            entities.append(
                Entity(
                    form: .passUnretained(form),
                    markup: place(of: form.markup),
                    properties: first..<properties.count
                )
            )
        }
        (self.entities, self.properties, self.markup) = (entities, properties, markup)
    }

    /// The part of a document before its objects, as a document.
    ///
    /// If that is well-formed, the part ends between two elements, in the element `database`.
    ///
    /// - Returns: `nil` if the document does not begin as one that ``XMLStoreWriting`` has written.
    static func head(of data: Data) -> (document: Data, count: Int)? {
        let start = XMLStoreWriting.start
        let first = UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount)
        guard data.starts(with: first),
            let end = data.withUnsafeBytes({ $0.firstRange(of: "</databaseInfo>\n".utf8) })
        else { return nil }
        return (data.prefix(end.upperBound) + Data("</database>".utf8), end.upperBound)
    }

    /// Reads everything from the first object to the end of the document.
    ///
    /// - Returns: whether it did; if not, the objects are not complete.
    mutating func scan(into objects: inout FileObjects?) -> Bool {
        guard var found = objects else { return false }
        // Not held twice, so that its arrays are not copied.
        objects = nil
        defer { objects = found }
        var entity: Entity?
        while !skip("</database>\n") {
            if entity.map({ skip($0.markup) }) != true {
                entity = entities.first { skip($0.markup) }
            }
            guard let entity, scanObject(entity, into: &found) else { return false }
        }
        return place == bytes.count
    }

    private mutating func scanObject(
        _ entity: Entity,
        into objects: inout FileObjects
    ) -> Bool {
        let id = text(before: "\"") { $0.isEmpty ? nil : FileObjects.xmlReference($0) }
        guard let id, skip("\">\n"), objects.begin(entity.form.takeUnretainedValue().entity, id)
        else {
            return false
        }
        for index in entity.properties {
            let property = properties[index]
            guard skip(property.markup) else { continue }
            if let type = property.type {
                guard let value = value(of: property, type) else { return false }
                objects.set(value, at: property.slot)
            } else {
                guard scanRelationship(property, into: &objects) else { return false }
            }
        }
        guard skip("    </object>\n") else { return false }
        objects.end()
        return true
    }

    private mutating func scanRelationship(
        _ property: Property,
        into objects: inout FileObjects
    ) -> Bool {
        guard let relationship = property.property.takeUnretainedValue() as? RelationshipDescription
        else { return false }
        if skip(" idrefs=\"") {
            let isSet = text(before: "\"") { objects.set($0, of: relationship) }
            guard isSet == true, skip("\"") else { return false }
        }
        return skip("></relationship>\n")
    }

    private mutating func value(of property: Property, _ type: AttributeType) -> GraphValue? {
        let isEncoded = skip(" encoding=\"base64\"")
        guard skip(">") else { return nil }
        let value = text(before: "<") { text -> GraphValue? in
            if !isEncoded, let value = ValueText.simpleValue(text, type) { return value }
            guard let attribute = property.property.takeUnretainedValue() as? AttributeDescription
            else { return nil }
            if !isEncoded { return ValueText.value(text, of: attribute) }
            let data = ValueText.data(String(decoding: text, as: UTF8.self))
            return data?.withUnsafeBytes { ValueText.value($0, of: attribute) }
        }
        return skip("</attribute>\n") ? value : nil
    }

    // MARK: Bytes

    private mutating func skip(_ markup: StaticString) -> Bool {
        let count = markup.utf8CodeUnitCount
        guard comesNext(UnsafeRawBufferPointer(start: markup.utf8Start, count: count)) else {
            return false
        }
        place += count
        return true
    }

    /// Goes on behind markup, if it comes next.
    ///
    /// - Parameter range: a place in ``markup``.
    /// - Returns: whether it did.
    private mutating func skip(_ range: Range<Int>) -> Bool {
        guard markup.withUnsafeBytes({ comesNext(UnsafeRawBufferPointer(rebasing: $0[range])) })
        else { return false }
        place += range.count
        return true
    }

    private func comesNext(_ markup: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let expected = markup.baseAddress,
            bytes.count - place >= markup.count
        else { return false }
        return memcmp(start + place, expected, markup.count) == 0
    }

    /// Calls with the text up to a byte, without its escapes.
    ///
    /// - Returns: `nil` if it is not UTF-8, or not written as `XMLWriter` writes it.
    private mutating func text<Result>(
        before end: Unicode.Scalar,
        _ body: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        let start = place
        let end = UInt8(ascii: end)
        var isASCII = true
        var unescaped: [UInt8] = []
        var copied = start
        scanning: while true {
            skipPlain()
            guard place < bytes.count else { return nil }
            switch bytes[place] {
            case end: break scanning
            case UInt8(ascii: "&"):
                unescaped.append(contentsOf: bytes[copied..<place])
                guard let byte = escapedByte() else { return nil }
                unescaped.append(byte)
                copied = place
            // What `XMLWriter` escapes, and what XML cannot hold.
            case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): return nil
            case 0x80...:
                isASCII = false
                place += 1
            default: place += 1
            }
        }
        let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<place])
        if !isASCII, !XMLStoreScanner.isText(raw) { return nil }
        if copied == start { return body(raw) }
        unescaped.append(contentsOf: bytes[copied..<place])
        return unescaped.withUnsafeBytes { body($0) }
    }

    /// Goes on to the next byte that is not an ASCII character that stands for itself, or to one of the
    /// last seven.
    private mutating func skipPlain() {
        while bytes.count - place >= 8 {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            )
            let ones: UInt64 = 0x0101_0101_0101_0101
            // The lowest of the highest bits is that of the first such byte; those above it may be
            // wrong, because of a borrow.
            func marks(_ byte: UInt8) -> UInt64 {
                let other = word ^ (ones &* UInt64(byte))
                return (other &- ones) & ~other
            }
            let special =
                (word | (word &- ones &* 0x20) & ~word | marks(UInt8(ascii: "\""))
                    | marks(UInt8(ascii: "&")) | marks(UInt8(ascii: "<"))
                    | marks(UInt8(ascii: ">"))) & (ones << 7)
            place += special.trailingZeroBitCount / 8
            if special != 0 { return }
        }
    }

    /// The byte that comes next in an escaped form, as `XMLWriter` writes it.
    private mutating func escapedByte() -> UInt8? {
        for (byte, markup) in XMLStoreScanner.escapes where skip(markup) { return byte }
        return nil
    }

    private static let escapes = (UInt8.min...0x7f).compactMap { byte in
        XMLWriter.escape(byte).map { (byte: byte, markup: $0) }
    }

    /// Whether bytes are UTF-8 of characters that XML can hold.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
            guard (try? UTF8Span(validating: bytes.span)) != nil else { return false }
            // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
            return !bytes.indices.dropLast(2).contains {
                bytes[$0] == 0xef && bytes[$0 + 1] == 0xbf && bytes[$0 + 2] >= 0xbe
            }
        }
    }
}
