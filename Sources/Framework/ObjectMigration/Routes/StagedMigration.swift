public import ObjectContext
public import ObjectModel

/// The way from version to version, stage by stage, for a program that wants to do work of its own
/// between them.
///
///     StagedMigration([
///         .lightweight("Add dates", [first, second]),
///         .custom("Split names", from: second, to: third, didMigrate: { context in
///             for person in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
///                 …
///             }
///         }),
///     ])
///
/// A store enters at the stage that has its version, and leaves at the model of the program. All
/// stages are carried out on a copy, which then replaces the store: a stage that fails, or a kill,
/// leaves the store as it was.
///
/// Core Data can finish the removal of columns later (deferred lightweight migration). Here a stage
/// does all of its work: removed data do not stay in the file, and no later start has to wait.
public struct StagedMigration: Sendable {
    public let stages: [MigrationStage]

    public init(_ stages: [MigrationStage]) { self.stages = stages }
}

/// One stage of a ``StagedMigration``.
public struct MigrationStage: Sendable {
    /// Work on the objects of the store; the context is saved after it.
    public typealias Work = @Sendable (ManagedObjectContext) throws -> Void

    /// A name for progress and messages.
    public let label: String
    package let models: [ModelReference]
    package let willMigrate: Work?
    package let didMigrate: Work?

    /// Versions that follow each other by inferred mappings.
    public static func lightweight(_ label: String, _ models: [ModelReference]) -> MigrationStage {
        MigrationStage(label: label, models: models, willMigrate: nil, didMigrate: nil)
    }

    /// A step between two versions with work before it, on the objects of the older one, and after
    /// it, on those of the newer one.
    ///
    /// The mapping is inferred.
    public static func custom(
        _ label: String,
        from source: ModelReference,
        to destination: ModelReference,
        willMigrate: Work? = nil,
        didMigrate: Work? = nil
    ) -> MigrationStage {
        MigrationStage(
            label: label,
            models: [source, destination],
            willMigrate: willMigrate,
            didMigrate: didMigrate
        )
    }
}

/// A version of a model with the checksum that it had when the stage was written.
public struct ModelReference: Sendable {
    public let model: ManagedObjectModel
    /// ``ManagedObjectModel/versionChecksum``; `nil` to compare nothing.
    public let checksum: String?

    public init(_ model: ManagedObjectModel, checksum: String? = nil) {
        self.model = model
        self.checksum = checksum
    }
}

extension StagedMigration {
    /// A step of a stage.
    package struct Step {
        package let label: String
        package let step: MigrationStep
        package let willMigrate: MigrationStage.Work?
        package let didMigrate: MigrationStage.Work?

        package init(
            _ step: MigrationStep,
            label: String = "",
            willMigrate: MigrationStage.Work? = nil,
            didMigrate: MigrationStage.Work? = nil
        ) {
            self.label = label
            self.step = step
            self.willMigrate = willMigrate
            self.didMigrate = didMigrate
        }
    }

    /// The steps from the version of a store to a model.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/migrationStages`` if a model
    ///   does not have the checksum of its stage, or if the stages do not lead there.
    package func steps(from checksum: String, to destination: ManagedObjectModel) throws -> [Step] {
        var all: [Step] = []
        for stage in stages {
            for reference in stage.models { try check(reference, stage) }
            for (from, to) in zip(stage.models, stage.models.dropFirst()) {
                all.append(
                    Step(
                        MigrationStep(source: from.model, destination: to.model, mapping: nil),
                        label: stage.label,
                        willMigrate: stage.willMigrate,
                        didMigrate: stage.didMigrate
                    )
                )
            }
        }
        for (step, next) in zip(all, all.dropFirst())
        where step.step.destination.versionChecksum != next.step.source.versionChecksum {
            throw failure(
                "The stage \"\(next.label)\" begins with another version than the one with which "
                    + "\"\(step.label)\" ends."
            )
        }
        guard let last = all.last,
            last.step.destination.versionChecksum == destination.versionChecksum
        else { throw failure("The last stage does not end with the model of this program.") }
        guard let first = all.firstIndex(where: { $0.step.source.versionChecksum == checksum })
        else { throw failure("No stage begins with the version of the store.") }
        return Array(all[first...])
    }

    private func check(_ reference: ModelReference, _ stage: MigrationStage) throws {
        guard let checksum = reference.checksum,
            checksum != reference.model.versionChecksum
        else { return }
        throw failure(
            "A model of the stage \"\(stage.label)\" is not the one that it was written for."
        )
    }

    private func failure(_ message: String) -> ObjectGraphError {
        ObjectGraphError(
            .migrationStages,
            message,
            recovery: "List every version once, the oldest first, and the current one last."
        )
    }
}
