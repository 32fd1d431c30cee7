import ObjectModel

extension FileObjects {
    /// Sets a relationship of the object's entity.
    ///
    /// - Parameters:
    ///   - idrefs: the references, separated by blanks.
    ///   - relationship: of the object's entity.
    /// - Returns: whether the relationship can have so many destinations.
    mutating func set(
        _ idrefs: UnsafeRawBufferPointer,
        of relationship: RelationshipDescription
    ) -> Bool {
        if idrefs.contains(where: { $0 >= 0x80 }) {
            // Blanks of Unicode separate too.
            let text = String(decoding: idrefs, as: UTF8.self)
            for var idref in text.split(whereSeparator: \.isWhitespace) {
                add(idref.withUTF8 { FileObjects.xmlReference(UnsafeRawBufferPointer($0)) })
            }
        } else {
            for idref in idrefs.split(whereSeparator: { $0 <= 0x20 }) {
                add(FileObjects.xmlReference(UnsafeRawBufferPointer(rebasing: idref)))
            }
        }
        return set(relationship)
    }

    /// `z102` is the number 102, as Core Data writes it; any other text stands for itself.
    static func xmlReference(_ id: UnsafeRawBufferPointer) -> ReferenceObject {
        if id.count > 1, id[0] == UInt8(ascii: "z"), id[1] != UInt8(ascii: "0"),
            id[1] != UInt8(ascii: "-"),
            let number = NumberText.integer(UnsafeRawBufferPointer(rebasing: id.dropFirst()))
        {
            return .number(number)
        }
        let text = String(decoding: id, as: UTF8.self)
        if text.first == "z", let number = Int64(text.dropFirst()), number > 0,
            ReferenceObject.isNumber(text.dropFirst())
        {
            return .number(number)
        }
        return .text(text)
    }
}
