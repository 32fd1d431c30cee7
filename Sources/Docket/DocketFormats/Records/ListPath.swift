/// The path of a list, as one text: `Home/Garden`.
///
/// A `/` or `\` inside a name gets a backslash.
public enum ListPath {
    public static func string(_ path: [String]) -> String {
        if path.count == 1, !path[0].utf8.contains(where: { $0 == 47 || $0 == 92 }) {
            return path[0]
        }
        return joined(path, with: "/", escaping: "/\\".utf8)
    }

    /// Names in one text; what is escaped inside of a name gets a backslash.
    static func joined(
        _ names: [String],
        with separator: String,
        escaping escaped: some Collection<UInt8>
    ) -> String {
        var bytes: [UInt8] = []
        for (index, name) in names.enumerated() {
            if index > 0 { bytes += separator.utf8 }
            for byte in name.utf8 {
                if escaped.contains(byte) { bytes.append(92) }
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The inverse of ``string(_:)``; empty names are left out.
    public static func parse(_ text: String) -> [String] {
        if !text.utf8.contains(where: { $0 == 47 || $0 == 92 }) {
            return text.isEmpty ? [] : [text]
        }
        return parts(of: text, between: ["/"]).filter { !$0.isEmpty }
    }

    /// What is between separators that have no backslash before them.
    static func parts(of text: String, between separators: Set<Unicode.Scalar>) -> [String] {
        var (parts, part, isEscaped): ([String], String, Bool) = ([], "", false)
        for scalar in text.unicodeScalars {
            if isEscaped || (scalar != "\\" && !separators.contains(scalar)) {
                part.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                parts.append(part)
                part = ""
            }
        }
        return parts + [isEscaped ? part + "\\" : part]
    }
}
