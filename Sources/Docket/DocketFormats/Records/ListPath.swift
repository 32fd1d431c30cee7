/// The path of a list, as one text: `Home/Garden`.
///
/// A `/` or `\` inside a name gets a backslash.
public enum ListPath {
    public static func string(_ path: [String]) -> String {
        if path.count == 1, !path[0].utf8.contains(where: { $0 == 47 || $0 == 92 }) {
            return path[0]
        }
        var bytes: [UInt8] = []
        for (index, name) in path.enumerated() {
            if index > 0 { bytes.append(47) }
            for byte in name.utf8 {
                if byte == 47 || byte == 92 { bytes.append(92) }
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
        var path: [String] = []
        var name = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                name.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "/" {
                if !name.isEmpty { path.append(name) }
                name = ""
            } else {
                name.unicodeScalars.append(scalar)
            }
        }
        if isEscaped { name += "\\" }
        if !name.isEmpty { path.append(name) }
        return path
    }
}
