import CivilTime

/// The translations of a language, from a file of gettext (`Resources/Languages/de.po`).
///
/// It is read when a phrase is first shown in the language.
struct Catalogue {
    static let german = Catalogue(parsing: String(decoding: PackageResources.de_po, as: UTF8.self))

    /// The translated sentence of each English one.
    private(set) var translations: [String: String] = [:]
    /// The names of steps (`msgctxt "step"`) as patterns, those with the most text first.
    private(set) var steps: [(pattern: [Substring], translation: String)] = []

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
    private static func order(_ pattern: [Substring]) -> (Int, Int) {
        let follows = pattern.count > 1 && pattern[0].isEmpty && pattern[1].hasPrefix(", ")
        let isList = pattern.count > 1 && pattern[1] == ", "
        return (follows && !isList ? 1 : 0, pattern.joined().utf8.count)
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
    private static func pattern(_ key: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], key[...])
        while let sign = rest.firstIndex(of: "%") {
            parts.append(rest[..<sign])
            rest = rest[sign...].dropFirst(2)
        }
        return parts + [rest]
    }

    /// The name of a step, which is stored in English, in this language.
    ///
    /// What stands for a value is translated too, as far as it is not a title in quotes.
    func step(_ name: Substring) -> String {
        for (pattern, translation) in steps {
            if let values = Catalogue.values(of: pattern, in: name) {
                return Catalogue.filled(translation, with: values.map(step))
            }
        }
        return name.first == "\"" && name.last == "\"" && name.count > 1
            ? "„\(name.dropFirst().dropLast())“" : String(name)
    }

    /// What stands for the values of a pattern; `nil` if a text does not have its form.
    private static func values(of pattern: [Substring], in text: Substring) -> [Substring]? {
        guard let first = pattern.first, let last = pattern.last, text.hasPrefix(first),
            text.hasSuffix(last)
        else { return nil }
        let rest = text.dropFirst(first.count)
        if pattern.count == 1 { return rest.isEmpty ? [] : nil }
        // A value is not empty, and a title in quotes is one value.
        var end = rest.startIndex
        var isQuoted = false
        while end < rest.endIndex {
            if rest[end] == "\"" { isQuoted.toggle() }
            end = rest.index(after: end)
            if end < rest.endIndex, isQuoted || rest[..<end].last == "," { continue }
            if let more = values(of: Array(pattern.dropFirst()), in: rest[end...]) {
                return [rest[..<end]] + more
            }
        }
        return nil
    }
}

extension Phrase {
    /// The name of a step as the store has it, in the language of the interface that runs.
    public static func step(_ name: String) -> String {
        Language.current == .english ? name : Catalogue.german.step(name[...])
    }
}
