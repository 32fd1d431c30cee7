import DocketCore
public import DocketFormats

extension Settings {
    /// The text of a configuration file with one setting changed, and everything else as it is.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - name: `theme`, `history.steps`, `keys.item.done`.
    ///   - value: as in the file; a text may be without quotes.
    /// - Returns: the file, and the line of the setting.
    /// - Throws: ``InputError`` with what the setting takes.
    public static func changing(
        _ text: String,
        _ name: String,
        to value: String
    ) throws(InputError) -> (text: String, line: String) {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let table = parts.count > 1 ? String(parts[0]) : ""
        let key = String(parts[parts.count - 1])
        let isBare = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        let left = isBare ? key : quoted(key)
        var problem = ""
        let isLine = !value.contains(where: \.isNewline)
        for written in (isLine ? [value] : []) + [quoted(value)] {
            var settings = Settings()
            let head = table.isEmpty && parts.count == 1 ? "" : "[\(table)]"
            settings.read("\(head)\n\(left) = \(written)", name: "")
            guard let found = settings.problems.first else {
                let file = ConfigFile.text(text, setting: key, left, in: table, to: written)
                return (file, "\(left) = \(written)")
            }
            problem = String(found.drop { $0 != ":" }.dropFirst(2))
        }
        throw InputError(.malformed, "\(problem) Nothing was changed.")
    }
}
