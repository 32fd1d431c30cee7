import CText
import ObjectModel

/// Folded texts in a form in which a database finds them by their bytes.
///
/// In predicates a part of a text begins and ends at a character, and a character is a scalar with the
/// marks that follow it. So a character of several scalars that folding leaves is replaced: no part of
/// the replacement is a part of another text.
package enum FoldedText {
    /// Before and after a replaced character.
    private static let frame: Unicode.Scalar = "\u{1e}"
    private static let firstReplacement: UInt32 = 0xf0000
    private static let firstPlane: UInt32 = 0x100000

    /// The form without case and diacritics.
    package static func form(_ text: String) -> String {
        let bytes = TextFolding.foldedBytes(
            text,
            options: [.caseInsensitive, .diacriticInsensitive]
        )
        let folded = String(decoding: bytes, as: UTF8.self)
        // Marks begin with U+0300.
        if bytes.allSatisfy({ $0 < 0xcc && $0 != 0x1e }) { return folded }
        var form = String.UnicodeScalarView()
        var character: [Unicode.Scalar] = []
        var offset = 0
        for scalar in folded.unicodeScalars {
            if ctext_is_boundary(bytes, bytes.count, offset) {
                append(character, to: &form)
                character.removeAll(keepingCapacity: true)
            }
            character.append(scalar)
            offset += UTF8.width(scalar)
        }
        append(character, to: &form)
        return String(form)
    }

    /// The pattern of LIKE for the folded texts with a part; `nil` for an empty one, which is no part
    /// of a text.
    package static func pattern(_ part: String, _ relation: TextRelation = .contains) -> String? {
        let form = form(part)
        if form.isEmpty { return nil }
        let escaped = form.unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar == "\\" || scalar == "%" || scalar == "_" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return (relation == .prefix ? "" : "%") + escaped + (relation == .suffix ? "" : "%")
    }

    private static func append(
        _ character: [Unicode.Scalar],
        to form: inout String.UnicodeScalarView
    ) {
        if character.isEmpty { return }
        if character.count == 1, character[0] != frame, character[0].value < firstReplacement {
            return form.append(character[0])
        }
        form.append(frame)
        for scalar in character {
            let plane = Unicode.Scalar(firstPlane + scalar.value >> 16)
            let place = Unicode.Scalar(firstReplacement + scalar.value & 0xffff)
            if scalar.value > 0xffff, let plane { form.append(plane) }
            if let place { form.append(place) }
        }
        form.append(frame)
    }
}

/// Where a store keeps the folded form of a text attribute: a table with the keys of rows as `k`.
package struct FoldedColumn {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
        self.table = table
        self.column = column
    }

    /// A SELECT of the keys of the rows whose text meets a test.
    package func keys(_ test: String) -> String { "SELECT k FROM \(table) WHERE \(test)" }
}

extension TextRelation {
    /// The test of a folded column, given what adds an argument; `nil` if there is none.
    package func test(
        _ column: String,
        _ text: String,
        _ argument: (SQLValue) -> String
    ) -> String? {
        if self == .equal { return "\(column) = \(argument(.text(FoldedText.form(text))))" }
        guard self != .like, let pattern = FoldedText.pattern(text, self) else { return nil }
        return "\(column) LIKE \(argument(.text(pattern)))"
    }
}
