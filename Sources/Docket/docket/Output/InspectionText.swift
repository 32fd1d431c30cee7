import FoundationEssentials
import ObjectModel
import ObjectStore
import StoreExploring
import TerminalUI

/// What `docket inspect` shows, for people.
enum InspectionText {
    static func lines(_ overview: StoreOverview) -> [String] {
        var lines = head(overview)
        lines.append("")
        lines += table(overview.entities)
        for entity in overview.entities {
            let properties = properties(of: entity)
            if properties.isEmpty { continue }
            lines += ["", styled(Console.shown(entity.name))]
            lines += properties
        }
        return lines
    }

    private static func head(_ overview: StoreOverview) -> [String] {
        let version = overview.versionIdentifiers.joined(separator: ", ")
        var lines = ["Type     \(overview.type.rawValue)", "UUID     \(overview.identifier)"]
        if !version.isEmpty { lines.append("Version  \(Console.shown(version))") }
        lines.append("Model    \(overview.origin.sentence)")
        return lines
    }

    // MARK: Entities

    private static func table(_ entities: [StoreOverview.Entity]) -> [String] {
        let names = entities.map { entity in
            String(repeating: "  ", count: entity.depth) + Console.shown(entity.name)
                + (entity.isAbstract ? " (abstract)" : "")
        }
        let nameWidth = names.map { DisplayWidth.of($0) }.max().map { max($0, 6) } ?? 6
        let counts = entities.map { String($0.rows) }
        let total = String(entities.reduce(0) { $0 + $1.rows })
        let countWidth = max(7, (counts + [total]).map(\.utf8.count).max() ?? 0)
        func line(_ name: String, _ number: String, _ count: String) -> String {
            DisplayWidth.pad(name, to: nameWidth) + "  " + right(number, 4) + "  "
                + right(count, countWidth)
        }
        var lines = [styled(line("Entity", "No.", "Objects"))]
        for (place, entity) in entities.enumerated() {
            lines.append(line(names[place], String(entity.number), counts[place]))
        }
        if entities.count > 1 { lines.append(line("", "", total)) }
        return lines
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    // MARK: Properties

    /// The entity's own properties; its parents show theirs.
    private static func properties(of entity: StoreOverview.Entity) -> [String] {
        let attributes = entity.attributes.filter { !$0.isInherited }
        let relationships = entity.relationships.filter { !$0.isInherited }
        let names = attributes.map(\.name) + relationships.map(\.name)
        let width = names.map { DisplayWidth.of(Console.shown($0)) }.max() ?? 0
        func line(_ name: String, _ text: String) -> String {
            "  " + DisplayWidth.pad(Console.shown(name), to: width) + "  " + text
        }
        return attributes.map { line($0.name, $0.sentence) }
            + relationships.map { line($0.name, $0.sentence) }
    }

    private static func styled(_ text: String) -> String {
        Console.isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text
    }
}

extension StoreOverview.Attribute {
    fileprivate var sentence: String {
        var text = type.editorName
        if !isOptional { text += ", required" }
        if isTransient { text += ", transient" }
        if let derivation { text += ", derived from \(Console.shown(derivation))" }
        return text
    }
}

extension StoreOverview.Relationship {
    fileprivate var sentence: String {
        var text = isToMany ? "→→ " : "→ "
        text += Console.shown(destination ?? "unknown")
        if isOrdered { text += ", ordered" }
        if let inverse { text += ", inverse \(Console.shown(inverse))" }
        if !isOptional { text += ", required" }
        if isTransient { text += ", transient" }
        return text
    }
}
