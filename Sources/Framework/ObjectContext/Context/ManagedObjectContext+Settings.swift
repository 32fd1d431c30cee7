extension ManagedObjectContext {
    /// A name for history and messages.
    public var name: String? {
        get { settings.name }
        set { settings.name = newValue }
    }

    /// The author of the changes, for the history.
    public var transactionAuthor: String? {
        get { settings.transactionAuthor }
        set { settings.transactionAuthor = newValue }
    }

    /// What a save does when somebody else has changed a row in the meantime.
    public var mergePolicy: MergePolicy {
        get { settings.mergePolicy }
        set { settings.mergePolicy = newValue }
    }

    /// What a save does when objects collide under a uniqueness constraint; `nil` to follow
    /// ``mergePolicy``.
    ///
    /// Use ``MergePolicy/error`` for a context that assigns unique values itself: two objects with
    /// one number are different objects then, and must not be merged. Only a root compares; a
    /// child's new objects collide when the root saves.
    public var constraintPolicy: MergePolicy? {
        get { settings.constraintPolicy }
        set { settings.constraintPolicy = newValue }
    }

    /// Whether delete rules are applied at the end of the event, not only on save; true by default.
    public var propagatesDeletesAtEndOfEvent: Bool {
        get { settings.propagatesDeletesAtEndOfEvent }
        set { settings.propagatesDeletesAtEndOfEvent = newValue }
    }

    /// How long a cached row is used without reading it again; `nil` = always, `.zero` = never.
    public var stalenessInterval: Duration? {
        get { settings.stalenessInterval }
        set { settings.stalenessInterval = newValue }
    }

    /// Whether a save checks the rules of the model and the classes; a migration checks objects when
    /// they are complete, after several saves.
    package var validatesOnSave: Bool {
        get { settings.validates }
        set { settings.validates = newValue }
    }

    /// Called by a save of this context inside the store's write transaction; see
    /// ``SavePlan/beforeWriting``.
    public var beforeWriting: (() throws -> Void)? {
        get { settings.beforeWriting }
        set { settings.beforeWriting = newValue }
    }
}
