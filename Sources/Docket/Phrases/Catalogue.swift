import CivilTime

/// The translations of a language, from a file of gettext (`Resources/Languages/de.po`).
///
/// It is read when a phrase is first shown in the language.
struct Catalogue {
    static let german = Catalogue(parsing: String(decoding: PackageResources.de_po, as: UTF8.self))

    /// The translated sentence of each English one.
    private(set) var translations: [String: String] = [:]
    /// The names of steps (`msgctxt "step"`) as patterns, those with the most text first.
    private(set) var steps: [(pattern: Pattern, translation: String)] = []

    typealias Pattern = ArraySlice<ArraySlice<UInt8>>

    init(parsing file: String) {
        var (context, key, value) = ("", "", "")
        var isKey = false
        func finish(_ catalogue: inout Catalogue) {
            if key.isEmpty || value.isEmpty { return }
            if context == "step" {
                catalogue.steps.append((Catalogue.pattern(key), value))
            } else {
                catalogue.translations[context.isEmpty ? key : "\(context)\u{4}\(key)"] = value
            }
        }
        for line in file.split(separator: "\n") {
            guard let quote = line.firstIndex(of: "\""), line.first != "#" else { continue }
            let text = Catalogue.unescaped(line[quote...].dropFirst().dropLast())
            switch line[..<quote] {
            case "msgctxt ":
                finish(&self)
                (context, key, value) = (text, "", "")
            case "msgid ":
                if !value.isEmpty {
                    finish(&self)
                    context = ""
                }
                (key, value, isKey) = (text, "", true)
            case "msgstr ": (value, isKey) = (text, false)
            default: if isKey { key += text } else { value += text }
            }
        }
        finish(&self)
        steps.sort { Catalogue.order($0.pattern) > Catalogue.order($1.pattern) }
    }

    /// What follows a whole sentence (`%1, next %2`) goes before all others, else the most text.
    private static func order(_ pattern: Pattern) -> (Int, Int) {
        let isAfterAll =
            pattern.count > 1 && pattern[0].isEmpty
            && pattern[1].starts(with: ", ".utf8) && pattern[1].count > 2
        return (isAfterAll ? 1 : 0, pattern.joined().count)
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\n", with: "\n").replacing("\\\"", with: "\"")
            .replacing("\\\\", with: "\\")
    }

    /// A translation with its values.
    static func filled(_ translation: String, with values: [String]) -> String {
        var (text, rest) = ("", translation[...])
        while let sign = rest.firstIndex(of: "%") {
            text += rest[..<sign]
            let next = rest.index(after: sign)
            let number = next < rest.endIndex ? rest[next].wholeNumberValue : nil
            if let number, values.indices.contains(number - 1) {
                text += values[number - 1]
                rest = rest[next...].dropFirst()
            } else {
                text += "%"
                rest = rest[next...]
            }
        }
        return text + String(rest)
    }

    // MARK: Names of steps

    /// The texts between the values of a key.
    private static func pattern(_ key: String) -> Pattern {
        var (parts, rest): (Pattern, ArraySlice<UInt8>) = ([], Array(key.utf8)[...])
        while let sign = rest.firstIndex(of: UInt8(ascii: "%")) {
            parts.append(rest[..<sign])
            rest = rest[sign...].dropFirst(2)
        }
        return parts + [rest]
    }

    /// The name of a step, which is stored in English, in this language.
    ///
    /// What stands for a value is translated too, as far as it is not a title in quotes.
    func step(_ name: ArraySlice<UInt8>) -> String {
        for (pattern, translation) in steps {
            if let values = Catalogue.values(of: pattern, in: name) {
                return Catalogue.filled(translation, with: values.map(step))
            }
        }
        let quote = UInt8(ascii: "\"")
        return name.first == quote && name.last == quote && name.count > 1
            ? "„\(String(decoding: name.dropFirst().dropLast(), as: UTF8.self))“"
            : String(decoding: name, as: UTF8.self)
    }

    /// What stands for the values of a pattern; `nil` if a text does not have its form.
    private static func values(
        of pattern: Pattern,
        in text: ArraySlice<UInt8>
    ) -> [ArraySlice<UInt8>]? {
        guard let first = pattern.first, let last = pattern.last, text.starts(with: first),
            text.suffix(last.count) == last
        else { return nil }
        let rest = text.dropFirst(first.count)
        if pattern.count == 1 { return rest.isEmpty ? [] : nil }
        // A value is not empty, and a title in quotes is one value.
        var isQuoted = false
        for (place, byte) in zip(rest.indices, rest) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            let end = place + 1
            if end < rest.endIndex,
                isQuoted || byte == UInt8(ascii: ",") || rest[end] & 0xC0 == 0x80
            {
                continue
            }
            if let more = values(of: pattern.dropFirst(), in: rest[end...]) {
                return [rest[..<end]] + more
            }
        }
        return nil
    }
}

extension Phrase {
    /// What was written in English below the interface, in the language of the one that runs: the
    /// name of a step as the store has it, a sentence of the time language or of the framework.
    public static func step(_ name: String) -> String {
        Language.current == .english ? name : Catalogue.german.step(Array(name.utf8)[...])
    }
}
