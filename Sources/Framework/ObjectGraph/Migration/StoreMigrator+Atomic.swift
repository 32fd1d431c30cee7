import FoundationEssentials
import ObjectContext
import ObjectMigration
import ObjectModel
import ObjectStore

extension StoreMigrator {
    /// Does the steps in memory, and lets the class of the store write the result.
    ///
    /// An inferred step is done by the manager, too; its objects keep their IDs, and are not checked
    /// by rules of the model, as with the SQL of an SQLite store.
    func migrateInMemory(
        _ steps: [StagedMigration.Step],
        _ storeClass: AtomicStore.Type,
        _ configuration: String?
    ) throws {
        guard let first = steps.first else { return }
        monitor.note(0, "Reading the store")
        let migration = try AtomicStoreMigration(
            storeClass,
            as: options.type,
            at: url,
            model: first.step.source,
            configuration: configuration
        )
        var store = migration.start()
        for (index, step) in steps.enumerated() {
            try monitor.check()
            monitor.beginStep(index, of: steps.count)
            let (source, destination) = (step.step.source, step.step.destination)
            if let work = step.willMigrate {
                try perform(work, step, coordinator(store, source))
            }
            let next = try migration.next(
                after: store,
                lineage: source.versionChecksum,
                model: destination,
                configuration: self.configuration(of: destination),
                readableBy: settings.readableBy,
                keepsIDs: step.step.mapping == nil
            )
            try transform(store, to: next, step.step)
            if let work = step.didMigrate {
                try perform(work, step, coordinator(next, destination))
            }
            store = next
        }
        try monitor.check()
        if settings.keepsBackup { try migration.backUp(to: freeBackupPlace()) }
        try migration.finish(with: store)
        monitor.note(1, "Done")
    }

    private func coordinator(
        _ store: any PersistentStore,
        _ model: ManagedObjectModel
    ) throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: model)
        coordinator.add(store)
        return coordinator
    }

    private func transform(
        _ store: any PersistentStore,
        to next: any PersistentStore,
        _ step: MigrationStep
    ) throws {
        let old = try coordinator(store, step.source)
        let new = try coordinator(next, step.destination)
        defer { for coordinator in [old, new] { coordinator.closeAll() } }
        let isInferred = step.mapping == nil
        let manager = try MigrationManager(
            from: old,
            to: new,
            mapping: step.mapping ?? .inferred(from: step.source, to: step.destination),
            monitor: monitor
        )
        if isInferred {
            manager.validates = false
            manager.identity = { id, entity in
                next.space.id(entity.number, store.space.reference(id))
            }
        }
        do {
            let correspondence =
                isInferred ? try ModelCorrespondence(from: step.source, to: step.destination) : nil
            if let correspondence { try checkMembers(correspondence, old) }
            try manager.migrate()
            if let correspondence { try order(correspondence, new) }
        } catch let error as ObjectGraphError
            where isInferred && error.code == .constraintConflict
        {
            throw ObjectGraphError(
                .migrationConstraint,
                "Several objects have the same \(error.key ?? "values"), which must be unique now.",
                recovery: "Change them with the old version of the program; nothing was changed.",
                key: error.key,
                underlying: [error]
            )
        }
    }

    /// Refuses lists that share a member, if a member can belong to one list only now.
    private func checkMembers(
        _ correspondence: ModelCorrespondence,
        _ coordinator: PersistentStoreCoordinator
    ) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        var known: [ObjectIdentifier: Set<ManagedObjectID>] = [:]
        for entry in correspondence.entities {
            guard let source = entry.source, !source.isAbstract else { continue }
            let relationships = entry.destination.relationships.compactMap { relationship in
                (entry.properties[relationship.name] as? RelationshipDescription)
                    .map { (relationship, $0) }
            }
            for (relationship, origin) in relationships
            where relationship.isToMany && relationship.inverse?.isToMany != true
                && !(origin.isToMany && origin.inverse?.isToMany != true)
            {
                for owner in try objects(of: source, context) {
                    let value = try owner.value(forKey: origin.name)
                    for member in (value.elements ?? [value]).compactMap(\.memberID)
                    where !known[ObjectIdentifier(relationship), default: []].insert(member)
                        .inserted
                    {
                        throw ObjectGraphError(
                            .migration,
                            "Several objects of \(entry.destination.name) share a member of"
                                + " \(relationship.name), which can belong to one of them only now.",
                            recovery: "Use a mapping model that decides; nothing was changed.",
                            key: relationship.name
                        )
                    }
                }
            }
        }
    }

    /// Puts members that had no order into that of their making.
    private func order(
        _ correspondence: ModelCorrespondence,
        _ coordinator: PersistentStoreCoordinator
    ) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        context.validatesOnSave = false
        for entry in correspondence.entities
        where entry.source != nil && !entry.destination.isAbstract {
            for relationship in entry.destination.relationships where relationship.isOrdered {
                let origin = entry.properties[relationship.name] as? RelationshipDescription
                if origin?.isOrdered == true { continue }
                for owner in try objects(of: entry.destination, context) {
                    let members = try owner.value(forKey: relationship.name).elements ?? []
                    let ids = members.compactMap(\.memberID)
                    let sorted = ids.sorted { $0.key < $1.key }
                    if sorted == ids { continue }
                    let ordered = sorted.map { GraphValue.object(context.object(with: $0)) }
                    try owner.setValue(.array(ordered), forKey: relationship.name)
                }
            }
        }
        var transaction = TransactionInfo()
        transaction.kind = .silent
        try context.save(transaction)
    }

    private func objects(
        of entity: EntityDescription,
        _ context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        var request = FetchRequest<ManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        return try context.fetch(request)
    }

    /// `~name`, or `~2-name` and so on if that exists.
    private func freeBackupPlace() -> URL {
        let folder = url.deletingLastPathComponent()
        var number = 1
        while true {
            let name = (number == 1 ? "~" : "~\(number)-") + url.lastPathComponent
            let place = folder.appending(path: name)
            if FileIdentity(place.path) == nil { return place }
            number += 1
        }
    }
}

extension GraphValue {
    fileprivate var memberID: ManagedObjectID? {
        switch self {
        case .objectID(let id): id
        case .object(let object): object.managedObjectID
        default: nil
        }
    }
}
