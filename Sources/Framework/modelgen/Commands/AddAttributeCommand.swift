import ArgumentParser
import ObjectModel
import ObjectModelFile

struct AddAttributeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-attribute",
        abstract: "Add an attribute to an entity.",
        discussion:
            "modelgen add-attribute Docket.xcdatamodeld Task.points \"Integer 16\" --default 3"
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The entity and the new name: Task.title.") var path: PropertyArgument
    @Argument(help: "The type: String, Integer 64, Boolean, Date, Decimal, …") var type: String
    @Option(name: .customLong("default"), help: "The default value; dates as ISO 8601.")
    var defaultValue: String?
    @Option(help: "The expression that derives the value: canonical:(name), items.@count, …")
    var derived: String?
    @Option(help: "The name of a transformable attribute's transformer.") var transformer: String?
    @Option(help: "The name of a composite attribute's type.") var composite: String?
    @Option(help: "The smallest value, or the least length of a text.") var minimum: String?
    @Option(help: "The largest value, or the greatest length of a text.") var maximum: String?
    @Option(help: "The regular expression that a text has to match.") var pattern: String?
    @Flag(help: "A value is required.") var required = false
    @Flag(help: "Keep it in memory only.") var transient = false
    @Flag(help: "Include it in text search.") var searched = false
    @Flag(help: "Keep large data in files beside the store.") var external = false

    func run() throws {
        guard let type = AttributeType(editorName: type), type != .undefined else {
            let names = AttributeType.allCases.filter { $0 != .undefined }.map(\.shownName)
                .joined(separator: ", ")
            throw ValidationError("\"\(type)\" is not a type; the types are: \(names).")
        }
        let attribute = AttributeDescription(path.property, type, optional: !required)
        if let defaultValue { attribute.defaultValue = try value(defaultValue, type) }
        attribute.derivation = derived
        attribute.valueTransformerName = transformer
        attribute.compositeName = composite
        attribute.isTransient = transient
        attribute.isSearched = searched
        attribute.allowsExternalStorage = external
        if let minimum { attribute.rules.append(try bound(minimum, type, isMinimum: true)) }
        if let maximum { attribute.rules.append(try bound(maximum, type, isMinimum: false)) }
        if let pattern { attribute.rules.append(.pattern(pattern)) }
        try source.edit { try $0.add(attribute, to: path.entity) }
    }

    private func bound(
        _ text: String,
        _ type: AttributeType,
        isMinimum: Bool
    ) throws -> ValidationRule {
        if type == .string {
            guard let length = Int(text) else {
                throw ValidationError("\"\(text)\" is not a length.")
            }
            return isMinimum ? .minimumLength(length) : .maximumLength(length)
        }
        let value = try value(text, type)
        return isMinimum ? .minimum(value) : .maximum(value)
    }

    private func value(_ text: String, _ type: AttributeType) throws -> GraphValue {
        if let value = ValueCoercion().value(.string(text), as: type) { return value }
        throw ValidationError("\"\(text)\" is not \(type.nameWithArticle).")
    }
}
