public import ObjectContext
import ObjectModel
import ObjectStore

// Running a plan, step by step:
//   1. read the version that the store has; if it is not older, nothing else is read or parsed;
//   2. parse the texts; leave out the rows of versions that the store has had, and rows whose
//      unique value is there;
//   3. insert the objects; then set relationships, by one fetch for each entity and key;
//   4. set the version; save all in one transaction, inside which the version is compared once
//   more:
//      if another process was quicker, nothing is written.

/// Content that a program brings along: made once, never again after the user has deleted it.
///
/// A plan has a name and a version, and the store has a row with the newest version that was run.
/// Rows are added in the same transaction as that version, so each is added exactly once, whatever
/// is killed and however many processes start at once. A row says in a column `since` which version
/// of the plan brought it; a newer version of the program adds only rows that are newer.
///
///     let seeds = SeedPlan("categories", version: 2, [
///         SeedTable("Category", csv: "name,order,since\nLogin,1,\nBank,2,\nMail,3,2\n".utf8)
///     ])
///     try seeds.run(in: container.coordinator)
///
/// The model needs an entity for the versions, with two attributes: by default `SeedVersion` with
/// `name` (text) and `version` (integer).
public struct SeedPlan: Sendable {
    /// Where the store keeps the versions.
    public struct Marker: Sendable {
        public var entityName = "SeedVersion"
        public var nameKey = "name"
        public var versionKey = "version"

        public init() {}
    }

    public let name: String
    public let version: Int
    public var marker = Marker()
    let tables: [SeedTable]

    /// - Parameters:
    ///   - name: the name in the store; the same for all versions of the plan.
    ///   - version: counted from 1; raise it when rows are added.
    ///   - tables: what to add, in this order.
    public init(_ name: String, version: Int = 1, _ tables: [SeedTable]) {
        self.name = name
        self.version = version
        self.tables = tables
    }

    /// The version that a context sees; 0 if the plan was never run.
    ///
    /// - Throws: `ObjectGraphError` if the model has no such entity, or the store's error.
    public func version(in context: ManagedObjectContext) throws -> Int {
        try markerRow(in: context).map(version(of:)) ?? 0
    }

    /// Adds what is new, as pending changes of a context; the program saves them together.
    ///
    /// Another process may run the plan before the save. Then a uniqueness constraint on the name
    /// lets the save fail with ``ObjectGraphError/Code/constraintConflict``, or two versions of the
    /// row with ``ObjectGraphError/Code/mergeConflict``: roll back, and nothing is missing.
    /// ``run(in:)`` does that by itself.
    ///
    /// - Returns: the new objects, in the order of the rows; empty if the store has this version.
    /// - Throws: `ObjectGraphError` for a row that cannot be read, with its place, or the store's
    ///   error. The context has none of the objects then; what a custom column has changed elsewhere
    ///   stays.
    @discardableResult
    public func apply(to context: ManagedObjectContext) throws -> [ManagedObject] {
        let row = try markerRow(in: context)
        let done = try row.map(version(of:)) ?? 0
        if done >= version { return [] }
        var writer = SeedWriter(context, name, from: done, to: version)
        var marked: ManagedObject?
        do {
            for table in tables { try writer.insert(table) }
            try writer.connect()
            if row == nil { marked = try context.insert(entityNamed: marker.entityName) }
            let changed = row ?? marked
            try changed?.setValue(.string(name), forKey: marker.nameKey)
            try changed?.setValue(.int(Int64(version)), forKey: marker.versionKey)
        } catch {
            for object in writer.inserted + [marked].compactMap({ $0 }) { context.delete(object) }
            throw error
        }
        return writer.inserted
    }

    /// Adds what is new, and saves it in one transaction, which undo skips.
    ///
    /// - Parameter coordinator: the stores; contexts that follow merge what was added.
    /// - Returns: how many objects were added; 0 if this or another process has run the plan
    ///   before.
    /// - Throws: as ``apply(to:)``, or the error of the save. Nothing was added then.
    /// - Complexity: one fetch if the store has this version.
    @discardableResult
    public func run(in coordinator: PersistentStoreCoordinator) throws -> Int {
        while true {
            let context = ManagedObjectContext(coordinator: coordinator)
            context.name = "seeds"
            let before = try version(in: context)
            if before >= version { return 0 }
            let objects = try apply(to: context)
            context.beforeWriting = { [unowned context] in
                if try savedVersion(in: context) != before { throw VersionTaken() }
            }
            var info = TransactionInfo()
            info.kind = .silent
            do {
                try context.save(info)
                return objects.count
            } catch is VersionTaken {
                // Somebody was quicker; what is missing now, if anything, is new for both.
                continue
            } catch let error as ObjectGraphError
                where error.code == .constraintConflict || error.code == .mergeConflict
            {
                let now = try version(in: ManagedObjectContext(coordinator: coordinator))
                if now == before { throw error }
            }
        }
    }

    /// Another process has run the plan since the version was read.
    private struct VersionTaken: Error {}

    private func request() throws -> FetchRequest<ManagedObject> {
        FetchRequest(
            entityName: marker.entityName,
            predicate: try FetchPredicate(
                format: "%K == %@",
                argumentArray: [.string(marker.nameKey), .string(name)]
            )
        )
    }

    private func markerRow(in context: ManagedObjectContext) throws -> ManagedObject? {
        try context.fetch(try request()).first
    }

    private func version(of row: ManagedObject) throws -> Int {
        Int(try row.value(forKey: marker.versionKey, as: Int64.self) ?? 0)
    }

    /// The version in the store, whatever the context holds.
    private func savedVersion(in context: ManagedObjectContext) throws -> Int {
        var request = FetchRequest<[String: GraphValue]>(try request())
        request.propertiesToFetch = [.init(marker.versionKey)]
        guard case .int(let version)? = try context.fetch(request).first?[marker.versionKey] else {
            return 0
        }
        return Int(version)
    }
}
