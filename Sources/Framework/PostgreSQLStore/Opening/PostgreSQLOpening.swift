package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// The result of opening, from which a store starts.
struct OpenedSchema {
    let place: PostgreSQLPlace
    let configuration: String?
    let options: PostgreSQLStoreOptions
    let connection: PostgreSQLConnection
    let identifier: UUID
    let metadata: StoreMetadata
    let schema: StoreSchema
    let hasHistory: Bool
    let serial: Int64
    let form: Int64
    let names: [String: Int64]
    let missingRight: String?
}

extension PostgreSQLStore {
    /// Opens a store, or creates one if the schema does not exist.
    ///
    /// This freezes the model.
    ///
    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/serverUnreachable``,
    ///   ``ObjectGraphError/Code/serverAccess``, ``ObjectGraphError/Code/incompatibleVersion`` if the
    ///   store was made with another model or by a newer version, ``ObjectGraphError/Code/cannotOpen``
    ///   if it does not exist, or something else is in its place.
    package convenience init(
        url: URL,
        model: ManagedObjectModel,
        configuration: String? = nil,
        options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
    ) throws {
        let place = try PostgreSQLPlace(url)
        try self.init(place, model, configuration, options)
    }

    private convenience init(
        _ place: PostgreSQLPlace,
        _ model: ManagedObjectModel,
        _ configuration: String?,
        _ options: PostgreSQLStoreOptions
    ) throws {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        self.init(
            try translatingServerErrors {
                try PostgreSQLOpening(
                    place: place,
                    model: model,
                    configuration: configuration,
                    options: options,
                    connection: try PostgreSQLConnection.open(place)
                ).open()
            }
        )
        try perform { connection in
            if !isReadOnly { try connection.updateIndexes(of: self) }
            try connection.updateSearch(of: self)
        }
    }

    /// The present state of the store, on its own connection that stays in one transaction.
    package func snapshot() throws -> any PersistentStore {
        var options = options
        options.isReadOnly = true
        return try translatingServerErrors {
            let connection = try PostgreSQLConnection.open(place)
            try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            // The first read fixes the state that the transaction sees.
            let state = try connection.run("SELECT serial, form FROM OG_STATE")
            guard state.count == 1, state.integer(0, 1) == form else {
                throw ObjectGraphError.migrated
            }
            let snapshot = PostgreSQLStore(
                OpenedSchema(
                    place: place,
                    configuration: configurationName,
                    options: options,
                    connection: connection,
                    identifier: identifier,
                    metadata: metadata,
                    schema: schema,
                    hasHistory: keepsHistory || breaksHistory,
                    serial: state.integer(0, 0),
                    form: form,
                    names: nameNumbers,
                    missingRight: nil
                )
            )
            snapshot.searchTables = searchTables
            snapshot.isSnapshot = true
            return snapshot
        }
    }

    package func reopened() throws -> any PersistentStore {
        var options = options
        options.createsStore = false
        return try PostgreSQLStore(place, schema.model, configurationName, options)
    }

    /// Reads a store's metadata without opening it with a model.
    package static func metadata(at url: URL) throws -> StoreMetadata {
        let place = try PostgreSQLPlace(url)
        return try translatingServerErrors {
            let connection = try PostgreSQLConnection.open(place)
            guard try connection.hasStore(place) else { throw place.missing }
            let (identifier, found) = try connection.metadata(place)
            var metadata = found
            metadata[MetadataList.storeUUID] = .string(identifier.uuidString)
            return metadata
        }
    }
}

extension PostgreSQLStore {
    /// The archive of the model that a store was made with, read without opening it.
    package static func modelArchive(at url: URL) throws -> ModelArchive? {
        let place = try PostgreSQLPlace(url)
        return try translatingServerErrors {
            let connection = try PostgreSQLConnection.open(place)
            guard try connection.hasStore(place) else { throw place.missing }
            let found = try connection.run("SELECT archive FROM OG_MODEL WHERE id = 1")
            return found.count == 1 ? ModelArchive(data: Data(found.bytes(0, 0))) : nil
        }
    }
}

/// The steps of opening a store: tables, metadata, layout.
struct PostgreSQLOpening {
    let place: PostgreSQLPlace
    let model: ManagedObjectModel
    let configuration: String?
    let options: PostgreSQLStoreOptions
    let connection: PostgreSQLConnection

    func open() throws -> OpenedSchema {
        try connection.checkEncoding()
        var present = try connection.ownTables()
        if !present.contains("z_metadata") {
            try connection.checkRights(place)
            guard options.createsStore, !options.isReadOnly else { throw place.missing }
            do { try make() } catch let error as PostgreSQLError where error.isWithoutRight {
                throw place.notMade(error)
            }
            present = try connection.ownTables()
        }
        let state = try connection.run(
            // Before the metadata: a migration between the two is noticed by the first save.
            "SELECT form, serial, \(PostgreSQLConnection.mayWrite) FROM OG_STATE"
        )
        guard state.count == 1 else { throw ObjectGraphError.lostState }
        let mayWrite = options.isReadOnly || state.integer(0, 2) == 1
        let missingRight = mayWrite ? nil : PostgreSQLConnection.writingRight
        let isReadOnly = options.isReadOnly || missingRight != nil
        let (identifier, metadata) = try connection.metadata(place)
        try check(metadata)
        var hasHistory = present.contains("og_change")
        if !hasHistory, options.keepsHistory, !isReadOnly {
            try connection.exclusively(place) {
                if try connection.hasTable("og_change") { return }
                for statement in PostgreSQLTables.history { try connection.enqueue(statement) }
            }
            hasHistory = true
        }
        let schema = try layout(metadata)
        return OpenedSchema(
            place: place,
            configuration: configuration,
            options: options,
            connection: connection,
            identifier: identifier,
            metadata: metadata,
            schema: schema,
            hasHistory: hasHistory,
            serial: state.integer(0, 1),
            form: state.integer(0, 0),
            names: hasHistory ? try names(schema, isReadOnly: isReadOnly) : [:],
            missingRight: missingRight
        )
    }

    // MARK: Making

    private func make() throws {
        let schema = try newSchema()
        let identifier = options.identifier ?? UUID()
        let operators = try connection.trigramOperators(makes: true)
        try connection.exclusively(place) {
            // Another program may have made it since.
            if try connection.hasStore(place) { return }
            if try connection.number(
                "SELECT 1 FROM pg_namespace WHERE nspname = $1",
                .text(place.schema)
            ) == nil {
                try connection.enqueue("CREATE SCHEMA \(place.quotedSchema)")
            }
            try connection.make(schema, history: options.keepsHistory)
            try connection.write(model)
            var metadata = newMetadata(schema)
            metadata[MetadataList.search] = .string(
                try connection.make(PostgreSQLSearchTables(schema), schema, operators)
            )
            try connection.enqueue(
                "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, $1, $2)",
                .text(identifier.uuidString),
                .blob(try MetadataList.data(metadata))
            )
        }
    }

    func newMetadata(_ schema: StoreSchema) -> StoreMetadata {
        var metadata = StoreMetadata.new(
            .postgresql,
            model,
            configuration,
            format: MetadataList.currentFormat
        )
        metadata[MetadataList.storeUUID] = nil
        metadata[MetadataList.layout] = .string(schema.serverLayout)
        metadata[MetadataList.indexes] = .string(schema.serverIndexes)
        metadata[MetadataList.model] = .int(MetadataList.currentModelForm)
        if let text = options.readableBy { metadata[MetadataList.readableBy] = .string(text) }
        return metadata
    }

    // MARK: Reading

    private func check(_ metadata: StoreMetadata) throws {
        if let type = metadata.storeType, type != .postgresql {
            throw ObjectGraphError(
                .storeTypeMismatch,
                "The schema \"\(place.schema)\" has a store of the type \(type.rawValue).",
                recovery: "Name another schema."
            )
        }
        if case .int(let format)? = metadata[MetadataList.format],
            format > MetadataList.currentFormat
        {
            throw ObjectGraphError(
                .cannotOpen,
                "The store in the schema \"\(place.schema)\" was made by a newer version of this"
                    + " program.",
                recovery: "Use that version, or a backup."
            )
        }
        if options.ignoresVersionHashes { return }
        let different = model.versionDifferences(from: metadata, configuration)
        if different.isEmpty { return }
        let more = different.count > 5 ? " and \(different.count - 5) more" : ""
        throw ObjectGraphError(
            .incompatibleVersion,
            "The store in the schema \"\(place.schema)\" was made with another version of the model"
                + " (different: \(different.prefix(5).joined(separator: ", "))\(more)).",
            recovery: "Migrate it to this version, or open it with the model it was made with."
        )
    }

    /// The layout: from the model alone if the store was made with this layout, else looked up.
    func layout(_ metadata: StoreMetadata) throws -> StoreSchema {
        let own = try newSchema()
        if metadata[MetadataList.layout] == .string(own.serverLayout) { return own }
        return try StoreSchema(
            model: model,
            configuration: configuration,
            existing: try connection.existingTables(),
            dialect: .postgresql
        )
    }

    /// The layout of a new store.
    func newSchema() throws -> StoreSchema {
        try StoreSchema(model: model, configuration: configuration, dialect: .postgresql)
    }

    /// The numbers of the history's names: all of those that a save of this model can need.
    private func names(
        _ schema: StoreSchema,
        isReadOnly: Bool
    ) throws -> [String: Int64] {
        var known = try connection.historyNames()
        if isReadOnly || schema.historyNames.allSatisfy({ known[$0] != nil }) {
            return known
        }
        try connection.exclusively(place) { known = try connection.addHistoryNames(schema) }
        return known
    }
}
