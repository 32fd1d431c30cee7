import FoundationEssentials
import ObjectModel
import ObjectStore

struct TextReading {
    private let forms: [TextForm]
    private var objects: FileObjects
    /// The entity of the line before.
    private var form: TextForm?
    private var isComplete = false

    init(_ store: TextStore) {
        forms = store.entities.map { TextForm($0) }
        objects = FileObjects(store)
    }

    /// Gives the store the nodes of a file.
    mutating func read(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            try TextParts.eachLine(of: bytes) { try read(line: $0, $1) }
        }
        if !isComplete { throw FormatProblem("its last line, \"\(TextWriting.end)\", is missing") }
        try objects.fill()
    }

    private mutating func read(line: UnsafeRawBufferPointer, _ number: Int) throws {
        if line.isEmpty { return }
        if line[0] == UInt8(ascii: "#") {
            let text = String(decoding: line, as: UTF8.self)
            if number == 1 { try checkVersion(text) }
            if text == TextWriting.end { isComplete = true }
            return
        }
        if isComplete { throw FormatProblem("it is behind the line \"\(TextWriting.end)\"") }
        var fields = TextParts(line)
        let form = try form(of: fields.next(before: UInt8(ascii: "|")) ?? line)
        guard let text = fields.next(before: UInt8(ascii: "|")), !text.isEmpty else {
            throw FormatProblem("the object has no reference")
        }
        if !objects.begin(form.entity, try TextReading.reference(text)) {
            let reference = String(decoding: text, as: UTF8.self)
            throw FormatProblem("the reference \(reference) is there twice")
        }
        while let field = fields.next(before: UInt8(ascii: "|")) {
            let property = try form.property(of: field) ?? searched(field, form)
            var parts = TextParts(field)
            _ = parts.next(before: UInt8(ascii: "="))
            try read(parts.rest ?? field, of: property)
        }
        objects.end()
    }

    private mutating func form(of name: UnsafeRawBufferPointer) throws -> TextForm {
        if let form, name.elementsEqual(form.name) { return form }
        let text = try TextEscaping.unescaped(name)
        guard let found = forms.first(where: { $0.entity.name == text }) else {
            throw FormatProblem("\"\(text)\" is not an entity of the model")
        }
        form = found
        return found
    }

    private func checkVersion(_ line: String) throws {
        guard line.hasPrefix(TextWriting.header),
            let version = Int(line.dropFirst(TextWriting.header.count)),
            version > TextWriting.version
        else { return }
        throw ObjectGraphError(
            .cannotOpen,
            "The file has version \(version) of the text format; this program reads version"
                + " \(TextWriting.version).",
            recovery: "Use the newer version of the program that wrote it, or a backup."
        )
    }

    /// A property whose name is not written as ``TextWriting`` writes it.
    private func searched(
        _ field: UnsafeRawBufferPointer,
        _ form: TextForm
    ) throws -> PropertyDescription {
        var parts = TextParts(field)
        let name = try TextEscaping.unescaped(parts.next(before: UInt8(ascii: "=")) ?? field)
        guard let property = form.entity.property(named: name), property.isInStore else {
            throw FormatProblem("\(form.entity.name) has no property \"\(name)\"")
        }
        if parts.rest == nil { throw FormatProblem("\(name) has no \"=\"") }
        return property
    }

    private mutating func read(
        _ text: UnsafeRawBufferPointer,
        of property: PropertyDescription
    ) throws {
        if let attribute = property as? AttributeDescription {
            let value = try TextEscaping.withUnescaped(text) { ValueText.value($0, of: attribute) }
            guard let value else {
                throw FormatProblem(
                    "the value of \(property.name) is not \(attribute.type.nameWithArticle)"
                )
            }
            objects.set(value, at: attribute.slot)
        } else if let relationship = property as? RelationshipDescription {
            var references = TextParts(text)
            while let reference = references.next(before: UInt8(ascii: ",")) {
                if !reference.isEmpty { objects.add(try TextReading.reference(reference)) }
            }
            if !objects.set(relationship) {
                throw FormatProblem("\(property.name) has more than one destination")
            }
        }
    }

    private static func reference(_ bytes: UnsafeRawBufferPointer) throws -> ReferenceObject {
        if bytes[0] != UInt8(ascii: "0"), let number = NumberText.integer(bytes), number > 0 {
            return .number(number)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if ReferenceObject.isNumber(text), let number = Int64(text) { return .number(number) }
        return .text(try TextEscaping.unescaped(bytes))
    }
}
