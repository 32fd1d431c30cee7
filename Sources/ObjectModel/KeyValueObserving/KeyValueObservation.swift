/// An observation that is going on: keep it as long as you want to hear.
///
/// It ends with ``invalidate()``, or when the last reference to it goes. It does not keep the
/// observed object alive, only what the key path leads through.
public final class KeyValueObservation {
    private let watcher: PathWatcher

    fileprivate init(_ watcher: PathWatcher) { self.watcher = watcher }

    deinit { watcher.stop() }

    /// Ends the observation; twice does no harm.
    public func invalidate() { watcher.stop() }
}

extension KeyValueObserving {
    /// Calls `body` on each change of a key path.
    ///
    /// - Parameters:
    ///   - keyPath: a key or a path; see ``KeyValueObserving`` for what it may lead through.
    ///   - options: what to hear and when.
    ///   - context: handed back with each change, to tell observations apart.
    ///   - body: called where the change is made, when it is done.
    /// - Returns: what ends the observation; it ends too when the token is let go.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if the path
    ///   leads nowhere, also where something on it is `nil` or empty now. There a key counts that
    ///   the model or the key table has, or of which the class says on what it depends, or that it
    ///   notifies by hand.
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
    /// - Returns: what ends the observations, one for each object in their order.
    /// - Throws: as for one object; none is observed then.
    public func observe(
        _ keyPath: String,
        options: KeyValueObservingOptions = .new,
        context: (any Sendable)? = nil,
        _ body: @escaping (Element, KeyValueChange) -> Void
    ) throws -> [KeyValueObservation] {
        try map { try $0.observe(keyPath, options: options, context: context, body) }
    }
}
