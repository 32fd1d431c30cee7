/// An active observation: keep it as long as you want notifications.
///
/// It ends with ``invalidate()``, or when the last reference to it is released. It does not keep
/// the observed object alive, only the objects on the key path after it.
public final class KeyValueObservation {
    private let watcher: PathWatcher

    fileprivate init(_ watcher: PathWatcher) { self.watcher = watcher }

    deinit { watcher.stop() }

    /// Ends the observation; a second call does nothing.
    public func invalidate() { watcher.stop() }
}

extension KeyValueObserving {
    /// Calls `body` on each change of a key path.
    ///
    /// - Parameters:
    ///   - keyPath: a key or a path; see ``KeyValueObserving`` for what it may lead through.
    ///   - options: which values and which moments.
    ///   - context: passed back with each change, to distinguish observations.
    ///   - body: called on the thread that makes the change, after it.
    /// - Returns: the observation; releasing it ends it.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if the path
    ///   does not exist, even where something on it is `nil` or empty now. There, a key exists if
    ///   the model or the key table has it, or if the class declares its dependencies or notifies
    ///   for it by hand.
    public func observe(
        _ keyPath: String,
        options: KeyValueObservingOptions = .new,
        context: (any Sendable)? = nil,
        _ body: @escaping (Self, KeyValueChange) -> Void
    ) throws -> KeyValueObservation {
        let value = try self.value(forKeyPath: keyPath)
        try checkKeyPath(keyPath)
        let watcher = PathWatcher(self, keyPath, options, context) { object, change in
            if let object = object as? Self { body(object, change) }
        }
        watcher.install()
        if options.contains(.initial) { watcher.tellInitial(value) }
        return KeyValueObservation(watcher)
    }
}

extension Sequence where Element: KeyValueObserving {
    /// Observes the same path of several objects; see ``KeyValueObserving/observe(_:options:context:_:)``.
    ///
    /// - Returns: the observations, one for each object in their order.
    /// - Throws: as for one object; then no object is observed.
    public func observe(
        _ keyPath: String,
        options: KeyValueObservingOptions = .new,
        context: (any Sendable)? = nil,
        _ body: @escaping (Element, KeyValueChange) -> Void
    ) throws -> [KeyValueObservation] {
        try map { try $0.observe(keyPath, options: options, context: context, body) }
    }
}
