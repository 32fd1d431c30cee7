import ObjectModel

/// How a context learns what others have saved, and what of that waits.
final class Following {
    /// Whether the context merges the saves of others by itself.
    private(set) var isOn = false
    /// Whether the program has asked for that; results controllers turn it on too.
    var isAsked = false
    /// How many followers of the stores the program itself has for the context.
    var followers = 0
    var hasFollower: Bool { followers > 0 }
    /// Brings others' saves to the results controllers of a root, while there are any.
    var delivery: (any NewsDelivery)?
    /// Ends the context's event soon, where the context is; `nil` without an executor of its own.
    var schedule: (@Sendable () -> Void)?
    /// A root's: what other roots of the coordinator have saved.
    private(set) var inbox: MergeInbox?
    /// A child's: the observation of its parent.
    private var observation:
        (center: GraphNotificationCenter, token: GraphNotificationCenter.Token)?
    private var isTaking = false
    /// Whether deliveries wait, because another thread reads the context's pending objects.
    var isHeld = false
    /// The coordinator's generation after the newest save that the context has made or merged.
    private(set) var newest = 0
    /// Objects that others deleted while they had pending changes here.
    private var deletedBelow: Set<ManagedObjectID> = []
    /// The dependencies of the context's results controllers: a merge reports these objects even if
    /// they are not registered.
    private var watchers: [ObjectIdentifier: FetchDependencies] = [:]

    deinit { stop() }

    func start(_ inbox: MergeInbox) {
        stop()
        isOn = true
        self.inbox = inbox
    }

    func start(_ center: GraphNotificationCenter, _ token: GraphNotificationCenter.Token) {
        stop()
        isOn = true
        observation = (center, token)
    }

    func stop() {
        if let (center, token) = observation { center.removeObserver(token) }
        observation = nil
        inbox = nil
        isOn = false
    }

    // MARK: Deliveries

    /// Whether anything may have arrived.
    var hasNews: Bool { inbox != nil || !deletedBelow.isEmpty }

    /// Runs the merge of what has arrived; what arrives meanwhile waits for the next call.
    func take(_ body: ([Delivery]) -> Void) {
        if isTaking || isHeld || !hasNews { return }
        isTaking = true
        defer { isTaking = false }
        body((inbox?.take() ?? []).sorted { $0.generation < $1.generation })
    }

    /// Notes a save that this context has made or merged.
    func note(generation: Int) { newest = max(newest, generation) }

    /// Keeps a deletion by others until the pending changes of the object are gone.
    func postpone(deletionOf id: ManagedObjectID) { deletedBelow.insert(id) }

    /// The postponed deletions that are due; they are forgotten.
    func takeDeletions(_ isDue: (ManagedObjectID) -> Bool) -> [ManagedObjectID] {
        if deletedBelow.isEmpty { return [] }
        let due = deletedBelow.filter(isDue)
        deletedBelow.subtract(due)
        return Array(due)
    }

    /// Forgets what waits, for a reset.
    func removeAll() { deletedBelow = [] }

    // MARK: Watchers

    /// Sets what a results controller depends on; `nil` ends it.
    func setDependencies(_ dependencies: FetchDependencies?, of controller: AnyObject) {
        watchers[ObjectIdentifier(controller)] = dependencies
    }

    /// Whether a results controller depends on objects of an entity.
    func isWatched(_ entity: EntityDescription) -> Bool {
        watchers.values.contains { $0.concerns(entity) }
    }
}

/// What brings others' saves to the results controllers of a root.
protocol NewsDelivery: AnyObject {
    var hasNews: Bool { get }
    var hasUsers: Bool { get }

    func add(_ user: ObjectIdentifier, wake: (@Sendable () -> Void)?, refetch: @escaping () -> Void)
    func remove(_ user: ObjectIdentifier)
    /// Merges what has arrived.
    func take()
    /// Lets the users fetch again.
    func refetch()
    func end()
}
