import ObjectModel

extension ModelGenerator {
    /// The file that builds the model and names the classes.
    func modelText() throws -> String {
        let entities = model.entities.sorted { $0.name < $1.name }
        var body = ""
        for entity in entities { body += "\n" + (try entityText(entity)) }
        let setup = try setupText()
        let needsFoundation = ["Date(", "UUID(", "URL(", "Decimal(", "Data("]
            .contains { (body + setup).contains($0) }
        var text = "\(ModelGenerator.mark); do not edit.\n\n"
        text += imports(shown: modules, hidden: needsFoundation ? ["FoundationEssentials"] : [])
        text += "\n/// The model in code, value for value as in its file.\n"
        text += "\(prefix)enum \(typeName) {\n"
        text += "    /// A new model, which can still be changed.\n"
        text += "    \(prefix)static func make() -> ManagedObjectModel {\n"
        let calls = entities.map { SwiftCode.atom(functionName($0) + "()") }
        let list = SwiftCode.call("ManagedObjectModel", .list(calls))
        if setup.isEmpty {
            text += "        " + list.text(indent: 8, prefix: 8) + "\n"
        } else {
            text += "        let model = " + list.text(indent: 8, prefix: 20) + "\n"
            text += setup + "        return model\n"
        }
        text += "    }\n" + (omitsClasses ? "" : "\n" + classesText()) + body + "}\n"
        if omitsClasses { return text }
        for entity in entitiesWithClass { text += keysText(entity) }
        return text
    }

    /// The names of an entity's properties as members of its class.
    private func keysText(_ entity: EntityDescription) -> String {
        let names = entity.classProperties.map(\.name)
        if names.isEmpty { return "" }
        var text = "\nextension \(entity.swiftName) {\n"
        text += "    /// The names of the properties, for what works by key.\n"
        text += "    \(prefix)enum Keys {\n"
        for name in names {
            let head = "        \(prefix)static var \(SwiftName.escaped(name)): String"
            text += block(head, SwiftCode.string(name).line)
        }
        return text + "    }\n}\n"
    }

    private func classesText() -> String {
        let types = entitiesWithClass.map { SwiftCode.atom($0.swiftName + ".self") }
        return "    /// The classes of the entities that have one.\n"
            + "    \(prefix)static var classes: [ManagedObject.Type] {\n        "
            + SwiftCode.list(types).text(indent: 8, prefix: 8) + "\n    }\n"
    }

    private func functionName(_ entity: EntityDescription) -> String {
        "make\(SwiftName.capitalized(entity.name))"
    }

    private func assign(_ target: String, _ code: SwiftCode, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        let head = margin + target + " = "
        if code.mustStartLine(after: head.count - 1) {
            let start = indent + 4
            return margin + target + " =\n" + margin + "    "
                + code.text(indent: indent, prefix: start) + "\n"
        }
        return head + code.text(indent: indent, prefix: head.count) + "\n"
    }

    private func run(_ head: String, _ arguments: [SwiftCode], indent: Int) -> String {
        let code = SwiftCode.call(head, arguments.map { ("", $0) })
        return String(repeating: " ", count: indent) + code.text(indent: indent, prefix: indent)
            + "\n"
    }

    /// What is set on the model beside its entities.
    private func setupText() throws -> String {
        var text = ""
        if !model.configurations.isEmpty {
            let entries = model.configurations.sorted { $0.key < $1.key }
                .map {
                    (key: SwiftCode.string($0.key), value: SwiftCode.strings($0.value.sorted()))
                }
            text += assign("model.configurations", .dictionary(entries), indent: 8)
        }
        if !model.versionIdentifiers.isEmpty {
            let list = SwiftCode.strings(model.versionIdentifiers.sorted())
            text += assign("model.versionIdentifiers", list, indent: 8)
        }
        for (name, request) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
            let target = "model.fetchRequestTemplates[\(SwiftCode.string(name).line)]"
            text += try requestText(request) { assign(target, $0, indent: $1) }
        }
        for (name, attributes) in model.composites.sorted(by: { $0.key < $1.key }) {
            let target = "model.composites[\(SwiftCode.string(name).line), default: []]"
            for case let attribute as AttributeDescription in attributes {
                text += try attributeText(attribute, into: target + ".append")
            }
        }
        return text
    }

    private func entityText(_ entity: EntityDescription) throws -> String {
        var arguments: [(label: String, value: SwiftCode)] = [("", .string(entity.name))]
        if entity.hasClass { arguments.append(("className: ", .string(entity.className))) }
        if entity.isAbstract { arguments.append(("isAbstract: ", .atom("true"))) }
        if let parent = entity.superentityName {
            arguments.append(("superentity: ", .string(parent)))
        }
        var text = "    private static func \(functionName(entity))() -> EntityDescription {\n"
        text += assign("let entity", .call("EntityDescription", arguments), indent: 8)
        for property in entity.ownProperties.sorted(by: { $0.slot < $1.slot }) {
            switch property {
            case let attribute as AttributeDescription:
                text += try attributeText(attribute, into: ModelGenerator.add)
            case let relationship as RelationshipDescription:
                text += relationshipText(relationship)
            case let fetched as FetchedPropertyDescription:
                text += try fetchedText(fetched)
            default: break
            }
        }
        let optional: [(String, String?)] = [
            ("renamingIdentifier", entity.renamingIdentifier),
            ("versionHashModifier", entity.versionHashModifier),
            ("displayNameExpression", entity.displayNameExpression),
            ("codeGenerationType", entity.codeGenerationType),
        ]
        for case (let name, let value?) in optional {
            text += assign("entity.\(name)", .string(value), indent: 8)
        }
        if !entity.uniquenessConstraints.isEmpty {
            let lists = SwiftCode.list(entity.uniquenessConstraints.map(SwiftCode.strings))
            text += assign("entity.uniquenessConstraints", lists, indent: 8)
        }
        if !entity.indexes.isEmpty {
            let indexes = try entity.indexes.sorted { $0.name < $1.name }.map(indexCode)
            text += assign("entity.indexes", .list(indexes), indent: 8)
        }
        if !entity.userInfo.isEmpty {
            text += assign("entity.userInfo", .entries(entity.userInfo), indent: 8)
        }
        return text + "        return entity\n    }\n"
    }

    private static let add = "entity.add"

    /// A property with what is set on it after it was made; without that, one line.
    private func add(
        _ call: SwiftCode,
        named name: String,
        _ settings: [(String, SwiftCode)],
        into head: String
    ) -> String {
        guard !settings.isEmpty else { return run(head, [call], indent: 8) }
        if head == ModelGenerator.add {
            let code = SwiftCode.call(head, call)
            var text = "        " + code.text(indent: 8, prefix: 8, suffix: 2)
            let setters = settings.map { key, value in "$0.\(key) = \(value.line)" }
            if setters.count == 1, let short = fitting(text, setters[0]) { return short }
            text += " {\n"
            for (key, value) in settings { text += assign("$0.\(key)", value, indent: 12) }
            return text + "        }\n"
        }
        var text = "        do {\n" + assign("let \(name)", call, indent: 12)
        for (key, value) in settings { text += assign("\(name).\(key)", value, indent: 12) }
        return text + run(head, [.atom(name)], indent: 12) + "        }\n"
    }

    private func common(_ property: PropertyDescription) -> [(String, SwiftCode)] {
        var settings: [(String, SwiftCode)] = []
        if property.isTransient { settings.append(("isTransient", .atom("true"))) }
        if property.isIndexed { settings.append(("isIndexed", .atom("true"))) }
        if property.isSearched { settings.append(("isSearched", .atom("true"))) }
        if let name = property.renamingIdentifier {
            settings.append(("renamingIdentifier", .string(name)))
        }
        if let modifier = property.versionHashModifier {
            settings.append(("versionHashModifier", .string(modifier)))
        }
        if !property.userInfo.isEmpty { settings.append(("userInfo", .entries(property.userInfo))) }
        return settings
    }

    private func attributeText(
        _ attribute: AttributeDescription,
        into head: String
    ) throws -> String {
        var arguments: [(label: String, value: SwiftCode)] = [
            ("", .string(attribute.name)), ("", .atom(".\(attribute.type)")),
        ]
        if !attribute.isOptional { arguments.append(("optional: ", .atom("false"))) }
        if !attribute.defaultValue.isNull {
            arguments.append(("default: ", try .value(attribute.defaultValue)))
        }
        var settings = common(attribute)
        if !attribute.rules.isEmpty {
            settings.append(("rules", .list(try attribute.rules.map(ruleCode))))
        }
        let flags = [
            ("allowsExternalStorage", attribute.allowsExternalStorage),
            ("preservesValueOnDeletion", attribute.preservesValueOnDeletion),
            ("allowsCloudEncryption", attribute.allowsCloudEncryption),
            ("usesScalarType", attribute.usesScalarType),
        ]
        for (name, isSet) in flags where isSet { settings.append((name, .atom("true"))) }
        let texts = [
            ("valueTransformerName", attribute.valueTransformerName),
            ("valueClassName", attribute.valueClassName),
            ("derivation", attribute.derivation),
            ("compositeName", attribute.compositeName),
        ]
        for case (let name, let value?) in texts { settings.append((name, .string(value))) }
        return add(
            .call("AttributeDescription", arguments),
            named: "attribute",
            settings,
            into: head
        )
    }

    private func ruleCode(_ rule: ValidationRule) throws -> SwiftCode {
        switch rule {
        case .required: return .atom(".required")
        case .minimum(let value): return .call(".minimum", try .value(value))
        case .maximum(let value): return .call(".maximum", try .value(value))
        case .minimumLength(let length): return .atom(".minimumLength(\(length))")
        case .maximumLength(let length): return .atom(".maximumLength(\(length))")
        case .pattern(let pattern): return .call(".pattern", .string(pattern))
        case .minimumCount(let count): return .atom(".minimumCount(\(count))")
        case .maximumCount(let count): return .atom(".maximumCount(\(count))")
        case .predicate(let predicate, let message):
            return .call(
                ".predicate",
                [("", try .predicate(predicate)), ("message: ", .string(message))]
            )
        }
    }

    private func relationshipText(_ relationship: RelationshipDescription) -> String {
        var arguments: [(label: String, value: SwiftCode)] = [
            ("", .string(relationship.name)), ("to: ", .string(relationship.destinationName)),
        ]
        if let inverse = relationship.inverseName {
            arguments.append(("inverse: ", .string(inverse)))
        }
        if relationship.isToMany { arguments.append(("toMany: ", .atom("true"))) }
        if relationship.isOrdered { arguments.append(("ordered: ", .atom("true"))) }
        if !relationship.isOptional { arguments.append(("optional: ", .atom("false"))) }
        if relationship.deleteRule != .nullify {
            arguments.append(("deleteRule: ", .atom(".\(relationship.deleteRule)")))
        }
        var settings = common(relationship)
        if relationship.minCount != 0 {
            settings.append(("minCount", .atom(String(relationship.minCount))))
        }
        if relationship.maxCount > 1 {
            settings.append(("maxCount", .atom(String(relationship.maxCount))))
        }
        return add(
            .call("RelationshipDescription", arguments),
            named: "relationship",
            settings,
            into: ModelGenerator.add
        )
    }

    private func fetchedText(_ property: FetchedPropertyDescription) throws -> String {
        try requestText(property.fetchRequest) { request, indent in
            let call = SwiftCode.call(
                "FetchedPropertyDescription",
                .string(property.name),
                request
            )
            var settings = common(property)
            if !property.isOptional { settings.insert(("isOptional", .atom("false")), at: 0) }
            let text = add(call, named: "property", settings, into: ModelGenerator.add)
            // Inside a scope of its own the lines stand one step deeper.
            let step = String(repeating: " ", count: indent - 8)
            return text.split(separator: "\n").map { step + $0 + "\n" }.joined()
        }
    }

    /// Code that makes a request and uses it: in place if it needs no more than its initializer,
    /// else in a scope of its own.
    private func requestText(
        _ request: FetchDescription,
        _ use: (_ request: SwiftCode, _ indent: Int) -> String
    ) throws -> String {
        var arguments: [(label: String, value: SwiftCode)] = [
            ("entityName: ", .string(request.entityName))
        ]
        if let predicate = request.predicate {
            arguments.append(("predicate: ", try .predicate(predicate)))
        }
        let call = SwiftCode.call("FetchDescription", arguments)
        var settings: [(String, SwiftCode)] = []
        for (name, number) in [
            ("limit", request.limit), ("offset", request.offset), ("batchSize", request.batchSize),
        ] where number != 0 {
            settings.append((name, .atom(String(number))))
        }
        if request.resultType != .objects {
            settings.append(("resultType", .atom(".\(request.resultType)")))
        }
        let standard = FetchDescription(entityName: request.entityName)
        for (name, path) in ModelGenerator.requestFlags
        where request[keyPath: path] != standard[keyPath: path] {
            settings.append((name, .atom("\(request[keyPath: path])")))
        }
        guard !settings.isEmpty else { return use(call, 8) }
        var text = "        do {\n" + assign("var request", call, indent: 12)
        for (key, value) in settings { text += assign("request.\(key)", value, indent: 12) }
        return text + use(.atom("request"), 12) + "        }\n"
    }

    private static var requestFlags: [(String, KeyPath<FetchDescription, Bool>)] {
        [
            ("includesSubentities", \.includesSubentities),
            ("includesPropertyValues", \.includesPropertyValues),
            ("returnsObjectsAsFaults", \.returnsObjectsAsFaults),
            ("includesPendingChanges", \.includesPendingChanges),
            ("returnsDistinctResults", \.returnsDistinctResults),
        ]
    }

    private func indexCode(_ index: FetchIndexDescription) throws -> SwiftCode {
        let elements = index.elements.map { element in
            var arguments: [(label: String, value: SwiftCode)] = [("", .string(element.property))]
            if element.isExpression { arguments.append(("isExpression: ", .atom("true"))) }
            if element.collation != .binary { arguments.append(("collation: ", .atom(".rtree"))) }
            if !element.isAscending { arguments.append(("ascending: ", .atom("false"))) }
            return SwiftCode.call(".init", arguments)
        }
        var arguments: [(label: String, value: SwiftCode)] = [
            ("", .string(index.name)), ("", .list(elements)),
        ]
        if let predicate = index.partialPredicate {
            arguments.append(("where: ", try .predicate(predicate)))
        }
        return .call("FetchIndexDescription", arguments)
    }
}
