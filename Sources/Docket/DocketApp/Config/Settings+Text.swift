import CivilTime
import DocketCore
import TerminalUI

extension Settings {
    /// Every setting with the value that counts, as a configuration file that means the same.
    ///
    /// Keys and colours are there if the user has changed them; a setting without a value of its own
    /// is a comment.
    public var text: String {
        var lines = [
            theme.map { "theme = \(Settings.quoted($0))" } ?? "# theme: as the terminal is",
            "ascii = \(isASCII)",
            "mouse = \(usesMouse)",
            "start = \(Settings.quoted(startList.id))",
            "language = \(Settings.quoted(time.language.rawValue))",
            time.chosenOrder == nil
                ? "# date-order: \(time.dateOrder.rawValue), that of the language"
                : "date-order = \(Settings.quoted(time.dateOrder.rawValue))",
            dayHours.map { "day-hours = \($0)" } ?? "# day-hours: a day has no limit",
        ]
        func table(_ name: String, _ rows: [String]) {
            if !rows.isEmpty { lines += ["", "[\(name)]"] + rows }
        }
        table("keys", boundKeys)
        table("colors", chosenColors)
        table("symbols", symbols.map { "\($0.rawValue) = \(Settings.quoted($1))" }.sorted())
        table(
            "history",
            [
                history.days.map { "age = \"\($0) days\"" },
                history.steps.map { "steps = \($0)" },
                history.bytes.map { "size = \"\(Settings.size($0))\"" },
            ].compactMap(\.self)
        )
        table(
            "backup",
            [
                "count = \(backup.count)", "size = \"\(Settings.size(backup.bytes))\"",
                "daily = \(backup.isDaily)",
            ]
        )
        table("vault", ["lock-after = \(lockAfter)"])
        table(
            "lists",
            [
                "create = \(Settings.quoted(newLists.rawValue))",
                "archive-after = \(time.archiveDays ?? 0)", "review-after = \(time.reviewWeeks)",
            ]
        )
        table(
            "folders",
            folders.map { "\(Settings.quoted($0.name)) = \(Settings.quoted($0.path))" }
        )
        return lines.joined(separator: "\n") + "\n"
    }

    private var boundKeys: [String] {
        keys.map { change in
            let sequences = change.sequences.map(Settings.quoted).joined(separator: ", ")
            return "\(Settings.quoted(change.command)) = [\(sequences)]"
        }
    }

    private var chosenColors: [String] {
        colors.map { role, color -> String in
            guard let parts = color.parts else { return "\(role) = \(color.index ?? 0)" }
            let digits = [parts.red, parts.green, parts.blue].map(Settings.hex).joined()
            return "\(role) = \"#\(digits)\""
        }.sorted()
    }

    /// In the largest unit that is exact, as the file has it.
    private static func size(_ bytes: Int) -> String {
        for (name, unit) in [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)]
        where bytes.isMultiple(of: unit) {
            return "\(bytes / unit) \(name)"
        }
        return "\(bytes) B"
    }

    private static func hex(_ value: UInt8) -> String {
        let digits = String(value, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }

    /// A text in quotes, as ``ConfigFile`` reads it.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if scalar.value < 32 || scalar.value == 127 {
                    quoted += "\\u00\(hex(UInt8(scalar.value)))"
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }
}
