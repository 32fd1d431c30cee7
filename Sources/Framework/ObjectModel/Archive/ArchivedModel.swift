import FoundationEssentials

// The form of a model archive. What has its usual value is left out, so that the text is short and
// a later version can add keys.

struct ArchivedModel: Codable {
    /// The newest form that this version reads.
    static let currentFormat = 1

    let format: Int
    private let entities: [ArchivedEntity]
    private let configurations: [String: [String]]?
    private let templates: [String: ArchivedRequest]?
    private let versionIdentifiers: [String]?
    private let composites: [String: [ArchivedProperty]]?

    init(_ model: ManagedObjectModel, _ notes: inout ArchiveNotes) {
        format = ArchivedModel.currentFormat
        var entities: [ArchivedEntity] = []
        for entity in model.entities.sorted(by: { $0.name < $1.name }) {
            entities.append(ArchivedEntity(entity, &notes))
        }
        self.entities = entities
        configurations = model.configurations.mapValues { $0.sorted() }.nonEmpty
        var templates: [String: ArchivedRequest] = [:]
        for (name, request) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
            templates[name] = ArchivedRequest(request, at: "fetch request \(name)", &notes)
        }
        self.templates = templates.nonEmpty
        versionIdentifiers = model.versionIdentifiers.sorted().nonEmpty
        var composites: [String: [ArchivedProperty]] = [:]
        for (name, elements) in model.composites.sorted(by: { $0.key < $1.key }) {
            composites[name] = elements.map { ArchivedProperty($0, of: name, &notes) }
        }
        self.composites = composites.nonEmpty
    }

    func model(withConditions: Bool) throws -> ManagedObjectModel {
        let model = ManagedObjectModel()
        for entity in entities {
            if model.entity(named: entity.name) != nil { throw Self.twice(entity.name) }
            model.add(try entity.entity(withConditions: withConditions))
        }
        model.configurations = configurations ?? [:]
        if withConditions {
            model.fetchRequestTemplates = try (templates ?? [:]).mapValues {
                try $0.request(withConditions: true)
            }
        }
        model.versionIdentifiers = Set(versionIdentifiers ?? [])
        model.composites = try (composites ?? [:]).mapValues {
            try $0.map { try $0.property(withConditions: withConditions) }
        }
        return model
    }

    private static func twice(_ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "The archive of a model has the entity \(name) twice.",
            recovery: "Use the model itself, or a backup."
        )
    }
}

struct ArchivedEntity: Codable {
    let name: String
    private let className: String?
    private let isAbstract: Bool?
    private let parent: String?
    private let renamingIdentifier: String?
    private let versionHashModifier: String?
    private let userInfo: [String: String]?
    private let uniquenessConstraints: [[String]]?
    private let indexes: [ArchivedIndex]?
    private let inheritedDefaults: [String: ArchivedValue]?
    private let displayNameExpression: String?
    private let codeGenerationType: String?
    private let properties: [ArchivedProperty]

    init(_ entity: EntityDescription, _ notes: inout ArchiveNotes) {
        name = entity.name
        className = entity.className
        isAbstract = entity.isAbstract.flag
        parent = entity.superentityName
        renamingIdentifier = entity.renamingIdentifier
        versionHashModifier = entity.versionHashModifier
        userInfo = entity.userInfo.nonEmpty
        uniquenessConstraints = entity.uniquenessConstraints.nonEmpty
        var indexes: [ArchivedIndex] = []
        for index in entity.indexes {
            indexes.append(ArchivedIndex(index, at: "index \(entity.name).\(index.name)", &notes))
        }
        self.indexes = indexes.nonEmpty
        var defaults: [String: ArchivedValue] = [:]
        for (key, value) in entity.inheritedDefaults.sorted(by: { $0.key < $1.key }) {
            guard let attribute = entity.property(named: key) as? AttributeDescription else {
                continue
            }
            defaults[key] = notes.value(value.value, ofDefault: attribute, "\(name).\(key)")
        }
        inheritedDefaults = defaults.nonEmpty
        displayNameExpression = entity.displayNameExpression
        codeGenerationType = entity.codeGenerationType
        var properties: [ArchivedProperty] = []
        for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
            properties.append(ArchivedProperty(property, of: entity.name, &notes))
        }
        self.properties = properties
    }

    func entity(withConditions: Bool) throws -> EntityDescription {
        let entity = EntityDescription(
            name,
            className: className,
            isAbstract: isAbstract ?? false,
            superentity: parent,
            try properties.map { try $0.property(withConditions: withConditions) }
        )
        entity.renamingIdentifier = renamingIdentifier
        entity.versionHashModifier = versionHashModifier
        entity.userInfo = userInfo ?? [:]
        entity.uniquenessConstraints = uniquenessConstraints ?? []
        entity.indexes = try (indexes ?? []).map { try $0.index(withConditions: withConditions) }
        entity.inheritedDefaults = try (inheritedDefaults ?? [:]).mapValues {
            InheritedDefault(try $0.value)
        }
        entity.displayNameExpression = displayNameExpression
        entity.codeGenerationType = codeGenerationType
        return entity
    }
}

struct ArchivedIndex: Codable {
    private struct Element: Codable {
        let property: String
        let isExpression: Bool?
        let collation: String
        let isDescending: Bool?
    }

    private let name: String
    private let elements: [Element]
    private let predicate: String?

    init(_ index: FetchIndexDescription, at place: String, _ notes: inout ArchiveNotes) {
        name = index.name
        elements = index.elements.map {
            Element(
                property: $0.property,
                isExpression: $0.isExpression.flag,
                collation: $0.collation.rawValue,
                isDescending: (!$0.isAscending).flag
            )
        }
        predicate = notes.text(of: index.partialPredicate, at: place)
    }

    func index(withConditions: Bool) throws -> FetchIndexDescription {
        FetchIndexDescription(
            name,
            elements.map {
                FetchIndexDescription.Element(
                    $0.property,
                    isExpression: $0.isExpression ?? false,
                    collation: FetchIndexDescription.CollationType(rawValue: $0.collation)
                        ?? .binary,
                    ascending: !($0.isDescending ?? false)
                )
            },
            where: withConditions ? try predicate.map { try FetchPredicate(archived: $0) } : nil
        )
    }
}

extension ArchiveNotes {
    /// The text of a predicate; `nil` after noting the place if it has none.
    mutating func text(of predicate: FetchPredicate?, at place: String) -> String? {
        guard let predicate else { return nil }
        let text = predicate.format
        if (try? FetchPredicate(archived: text)) != nil { return text }
        leaveOut("\(place): a predicate that has no text")
        return nil
    }

    /// The text of an expression; `nil` after noting the place if it has none.
    mutating func text(of expression: FetchExpression, at place: String) -> String? {
        let text = expression.format
        if (try? FetchExpression(format: text, argumentArray: [])) != nil { return text }
        leaveOut("\(place): an expression that has no text")
        return nil
    }
}

extension FetchPredicate {
    init(archived text: String) throws { try self.init(format: text, argumentArray: []) }
}

extension Bool {
    /// `true`, or nothing for the usual value.
    var flag: Bool? { self ? true : nil }
}

extension Collection {
    var nonEmpty: Self? { isEmpty ? nil : self }
}
