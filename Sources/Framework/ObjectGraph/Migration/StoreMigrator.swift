import FoundationEssentials
import ObjectContext
import ObjectMigration
import ObjectModel
import ObjectStore
import SQLiteStore

// A store of another version becomes one of the model, in four decisions:
//   1. which model the store was made with: one of the versions given, else the one it keeps;
//   2. whether the store is of a newer version of the program, which is refused;
//   3. the way: stages, or the shortest route over mapping models and inferred mappings;
//   4. of an SQLite store, one inferred step is done in the file itself, and everything else on files
//      beside it, of which the last replaces it; all steps of an atomic store are done in memory, and
//      one save replaces its file.

/// Migrates one store to the model of a coordinator.
struct StoreMigrator {
    let url: URL
    let options: StoreOptions
    let settings: MigrationOptions
    let model: ManagedObjectModel
    let monitor: MigrationMonitor
    /// The class of the store, if it is an atomic one or in a database server; else it is one of
    /// SQLite.
    private let storeClass: AtomicStore.Type?
    private let database: (any DatabaseStoreClass)?
    /// Why the store could not be opened.
    private let cause: ObjectGraphError

    private var name: String { url.lastPathComponent }

    init(
        _ url: URL,
        _ description: StoreDescription,
        _ model: ManagedObjectModel,
        _ storeClass: AtomicStore.Type?,
        _ cause: ObjectGraphError,
        in database: (any DatabaseStoreClass)? = nil
    ) {
        self.url = url
        self.database = database
        self.storeClass = storeClass
        options = description.options
        settings = options.migration
        self.model = model
        self.cause = cause
        monitor = settings.monitor ?? MigrationMonitor()
    }

    func run() throws {
        let metadata = try PersistentStoreCoordinator.metadata(
            ofStoreAt: url,
            type: database?.type ?? options.type
        )
        if options.isReadOnly {
            throw ObjectGraphError(
                .incompatibleVersion,
                "The store \"\(name)\" has to be migrated, and is opened for reading only.",
                recovery: "Open it for writing once.",
                underlying: [cause]
            )
        }
        if metadata["OGFormatVersion"] == nil { throw foreign() }
        monitor.begin()
        let source = try sourceModel(metadata)
        try checkIsNotNewer(metadata, source)
        let steps = try steps(metadata, source.model)
        let isInPlace =
            storeClass == nil && steps.count == 1 && steps[0].step.mapping == nil
            && steps[0].willMigrate == nil
            && steps[0].didMigrate == nil
        try settings.beforeMigration?(
            PendingMigration(
                url: url,
                metadata: metadata,
                stepCount: steps.count,
                isInPlace: isInPlace,
                model: source.model,
                type: database?.type ?? options.type,
                configuration: part(of: source.model, metadata)
            )
        )
        if let database {
            try migrate(steps, in: database)
        } else if let storeClass {
            try migrateInMemory(steps, storeClass, part(of: source.model, metadata))
        } else if isInPlace {
            try SQLiteStore.migrate(
                url,
                from: steps[0].step.source,
                to: model,
                configuration: options.configuration,
                options: sqlite,
                backup: settings.keepsBackup,
                monitor: monitor
            )
        } else {
            try migrateBeside(steps)
        }
    }

    /// Changes a store in a database server, in one transaction for each version.
    private func migrate(
        _ steps: [StagedMigration.Step],
        in database: any DatabaseStoreClass
    ) throws {
        let isInferred = steps.allSatisfy {
            $0.step.mapping == nil && $0.willMigrate == nil && $0.didMigrate == nil
        }
        guard isInferred else {
            throw ObjectGraphError(
                .unsupported,
                "A store of the type \(database.type.rawValue) is migrated by inferred mappings only.",
                recovery: "Copy it to a SQLite store, migrate that, and copy it back."
            )
        }
        for (index, step) in steps.enumerated() {
            monitor.beginStep(index, of: steps.count)
            var request = DatabaseStoreRequest(
                url: url,
                model: step.step.destination,
                configuration: configuration(of: step.step.destination)
            )
            request.readableBy = settings.readableBy
            try database.migrate(request, from: step.step.source, monitor)
        }
    }

    private var sqlite: SQLiteStoreOptions {
        var sqlite = SQLiteStoreOptions()
        sqlite.keepsHistory = options.keepsHistory
        sqlite.readableBy = settings.readableBy
        return sqlite
    }

    private func foreign() -> ObjectGraphError {
        ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(name)\" was made by another framework with another version of the model; "
                + "its triggers and its history would not survive a change of its tables.",
            recovery: "Make a new store from it with migrateStore(from:model:to:model:).",
            underlying: [cause]
        )
    }

    // MARK: Versions

    private typealias Source = (model: ManagedObjectModel, isKnown: Bool)

    /// The model that the store was made with, and whether the program knows it.
    private func sourceModel(_ metadata: StoreMetadata) throws -> Source {
        let staged = settings.stages?.stages.flatMap(\.models).map(\.model) ?? []
        if let known = ManagedObjectModel.version(of: metadata, among: settings.versions + staged) {
            return (known, true)
        }
        if let archive = try modelArchive(metadata) {
            let kept = try archive.storedModel()
            if ManagedObjectModel.version(of: metadata, among: [kept]) != nil {
                return (kept, false)
            }
        }
        throw ObjectGraphError(
            .missingSourceModel,
            "The store \"\(name)\" was made with a model that this program does not know"
                + "\(readable(metadata, ", ")).",
            recovery: "Use the program that made it, or give its model among the versions.",
            underlying: [cause]
        )
    }

    private func modelArchive(_ metadata: StoreMetadata) throws -> ModelArchive? {
        if let database { return try database.modelArchive(ofStoreAt: url) }
        if storeClass == nil { return try SQLiteStore.modelArchive(at: url) }
        guard case .data(let data)? = metadata[StoreMetadataKey.model] else { return nil }
        return ModelArchive(data: data)
    }

    /// The configuration of the model of a store that has the store's entities.
    private func part(of source: ManagedObjectModel, _ metadata: StoreMetadata) -> String? {
        let others = source.configurations.keys.sorted()
        let names: [String?] = [options.configuration, nil] + others
        let known = names.filter { $0.map { source.configurations[$0] != nil } ?? true }
        return known.first { source.matches(storeMetadata: metadata, configuration: $0) } ?? nil
    }

    private func readable(_ metadata: StoreMetadata, _ separator: String) -> String {
        guard case .string(let text)? = metadata[StoreMetadataKey.readableBy], !text.isEmpty else {
            return ""
        }
        return "\(separator)it can be read by \(text)"
    }

    /// An older version of a program must not take away what a newer one has stored.
    private func checkIsNotNewer(_ metadata: StoreMetadata, _ source: Source) throws {
        if settings.allowsLoss { return }
        if case .array(let checksums)? = metadata[StoreMetadataKey.lineage],
            checksums.contains(.string(model.versionChecksum))
        {
            throw ObjectGraphError(
                .incompatibleVersion,
                "The store \"\(name)\" was migrated by a newer version of this program"
                    + "\(readable(metadata, "; ")).",
                recovery: "Use that version, or allow loss to return to the older model.",
                underlying: [cause]
            )
        }
        if source.isKnown { return }
        let lost = losses(from: source.model, metadata)
        if lost.isEmpty { return }
        let names = lost.prefix(3).joined(separator: ", ")
        let more = lost.count > 3 ? " and \(lost.count - 3) more" : ""
        throw ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(name)\" has what this version of the program does not know and would "
                + "lose: \(names)\(more)\(readable(metadata, "; ")).",
            recovery: "Use the version that made it; if the removal is meant, allow loss, or give "
                + "the old model among the versions.",
            underlying: [cause]
        )
    }

    /// The entities and properties whose data an inferred mapping would remove.
    private func losses(from source: ManagedObjectModel, _ metadata: StoreMetadata) -> [String] {
        guard
            let correspondence = try? ModelCorrespondence(
                from: source,
                to: model,
                configuration: (part(of: source, metadata), options.configuration)
            )
        else { return [] }
        var result = correspondence.removed.filter { !$0.isAbstract }.map(\.name)
        for entry in correspondence.entities {
            guard let entity = entry.source else { continue }
            let kept = Set(entry.properties.values.map(\.name))
            for property in entity.persistentSlots where !kept.contains(property.name) {
                // A relationship can also be lost with its other side.
                let relationship = property as? RelationshipDescription
                if relationship?.inverse.map({ isKept($0, correspondence) }) == true { continue }
                if (property as? AttributeDescription)?.isDerived == true { continue }
                let place = "\(property.entity?.name ?? entity.name).\(property.name)"
                if !result.contains(place) { result.append(place) }
            }
        }
        return result
    }

    private func isKept(
        _ relationship: RelationshipDescription,
        _ correspondence: ModelCorrespondence
    ) -> Bool {
        correspondence.entities.contains { entry in
            entry.properties.values.contains { $0 === relationship }
        }
    }

    // MARK: The way

    private func steps(
        _ metadata: StoreMetadata,
        _ source: ManagedObjectModel
    ) throws -> [StagedMigration.Step] {
        if let stages = settings.stages {
            return try stages.steps(from: source.versionChecksum, to: model)
        }
        let route = try MigrationRoute(
            from: source,
            to: model,
            versions: settings.versions,
            mappings: settings.mappings,
            infers: settings.infersMapping,
            configuration: options.configuration
        )
        return route.steps.map { StagedMigration.Step($0) }
    }

    /// Does the steps on files beside the store, and replaces it with the last of them.
    private func migrateBeside(_ steps: [StagedMigration.Step]) throws {
        let replacement = try StoreReplacement(
            url,
            to: model,
            configuration: options.configuration,
            options: sqlite
        )
        if replacement.isDone { return }
        var beside = sqlite
        beside.externalFolder = replacement.externalFolder
        var file = try replacement.copy(monitor)
        for (index, step) in steps.enumerated() {
            try monitor.check()
            monitor.beginStep(index, of: steps.count)
            if let work = step.willMigrate {
                try perform(work, step, coordinator(file, step.step.source, beside))
            }
            if let mapping = step.step.mapping {
                let next = try replacement.newFile()
                try transform(file, step.step, mapping, to: next, beside)
                replacement.remove(file)
                file = next
            } else {
                try SQLiteStore.migrate(
                    file,
                    from: step.step.source,
                    to: step.step.destination,
                    configuration: configuration(of: step.step.destination),
                    options: beside,
                    monitor: monitor
                )
            }
            if let work = step.didMigrate {
                try perform(work, step, coordinator(file, step.step.destination, beside))
            }
        }
        try monitor.check()
        try replacement.replace(with: file, keepsBackup: settings.keepsBackup)
        monitor.note(1, "Done")
    }

    func configuration(of model: ManagedObjectModel) -> String? {
        options.configuration.flatMap { model.configurations[$0] == nil ? nil : $0 }
    }

    private func coordinator(
        _ file: URL,
        _ model: ManagedObjectModel,
        _ options: SQLiteStoreOptions
    ) throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: model)
        coordinator.add(
            try SQLiteStore(
                url: file,
                model: model,
                configuration: configuration(of: model),
                options: options
            )
        )
        return coordinator
    }

    /// Work of the program on the objects of one version; closes the coordinator.
    func perform(
        _ work: MigrationStage.Work,
        _ step: StagedMigration.Step,
        _ coordinator: PersistentStoreCoordinator
    ) throws {
        defer { coordinator.closeAll() }
        let context = ManagedObjectContext(coordinator: coordinator)
        do {
            try work(context)
            try context.save()
        } catch {
            let reason = (error as? ObjectGraphError).map { ": \($0.message)" } ?? "."
            throw ObjectGraphError(
                .migrationStages,
                "The work of the stage \"\(step.label)\" failed\(reason)",
                recovery: "Nothing was changed; correct the stage.",
                underlying: [error]
            )
        }
    }

    /// Makes a new store by a mapping model.
    private func transform(
        _ file: URL,
        _ step: MigrationStep,
        _ mapping: MappingModel,
        to next: URL,
        _ options: SQLiteStoreOptions
    ) throws {
        var reading = options
        reading.isReadOnly = true
        let old = try coordinator(file, step.source, reading)
        defer { old.closeAll() }
        // The new file has the tables of a history, and its history begins after the migration.
        try SQLiteStore(
            url: next,
            model: step.destination,
            configuration: configuration(of: step.destination),
            options: options
        ).close()
        var writing = options
        writing.keepsHistory = false
        let new = try coordinator(next, step.destination, writing)
        defer { new.closeAll() }
        try MigrationManager(from: old, to: new, mapping: mapping, monitor: monitor).migrate()
        try noteLineage(from: old, in: new)
    }

    /// Notes the model from which a store comes; ``MigrationManager`` keeps the other metadata.
    private func noteLineage(
        from old: PersistentStoreCoordinator,
        in new: PersistentStoreCoordinator
    ) throws {
        guard let source = old.openStores.first, let target = new.openStores.first else { return }
        var lineage: [GraphValue] = []
        if case .array(let known)? = source.metadata[StoreMetadataKey.lineage] { lineage = known }
        lineage.append(.string(old.model.versionChecksum))
        target.metadata[StoreMetadataKey.lineage] = .array(lineage)
        var transaction = SavePlan()
        transaction.transaction.kind = .silent
        _ = try target.save(transaction)
    }
}
