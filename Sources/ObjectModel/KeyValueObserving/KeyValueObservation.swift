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
    ///   leads nowhere.
    public func observe(
        _ keyPath: String,
        options: KeyValueObservingOptions = .new,
        context: (any Sendable)? = nil,
        _ body: @escaping (Self, KeyValueChange) -> Void
    ) throws -> KeyValueObservation {
        let value = try self.value(forKeyPath: keyPath)
        let watcher = PathWatcher(self, keyPath, options, context) { object, change in
            if let object = object as? Self { body(object, change) }
        }
        watcher.install()
        if options.contains(.initial) { watcher.tellInitial(value) }
        return KeyValueObservation(watcher)
    }
}

/// Hangs on every key that a path leads through and depends on.
///
/// When one of them changes, the value of the whole path is what observers hear of, and the hooks
/// are put where the path leads now.
private final class PathWatcher: KeyWatcher {
    /// A key of an object.
    private struct Place: Hashable {
        let object: ObjectIdentifier
        let key: String
    }

    private struct Touched {
        var old: Value?
        var touch: KeyTouch
    }

    private weak var root: (any KeyValueObserving)?
    private let keyPath: String
    private let plan: KeyPathPlan
    private let options: KeyValueObservingOptions
    private let context: (any Sendable)?
    private let body: (any KeyValueObserving, KeyValueChange) -> Void
    private var hooks: [(observers: KeyObservers, key: String)] = []
    /// What the path leads through; the contexts of managed objects would let them go.
    private var passed: [any KeyValueObserving] = []
    private var touched: Touched?

    init(
        _ root: any KeyValueObserving,
        _ keyPath: String,
        _ options: KeyValueObservingOptions,
        _ context: (any Sendable)?,
        _ body: @escaping (any KeyValueObserving, KeyValueChange) -> Void
    ) {
        self.root = root
        self.keyPath = keyPath
        self.plan = KeyPathPlan(keyPath)
        self.options = options
        self.context = context
        self.body = body
    }

    func install() {
        guard let root else { return }
        var seen: Set<Place> = []
        hang(on: root, Self.split(keyPath)[...], isPath: true, &seen)
    }

    private func uninstall() {
        for (observers, key) in hooks { observers.remove(self, from: key) }
        hooks = []
        passed = []
    }

    func stop() {
        uninstall()
        root = nil
        touched = nil
    }

    private static func split(_ keyPath: String) -> [String] {
        keyPath.split(separator: ".").map(String.init)
    }

    private func hang(
        on object: any KeyValueObserving,
        _ keys: ArraySlice<String>,
        isPath: Bool,
        _ seen: inout Set<Place>
    ) {
        guard let key = keys.first else { return }
        if key.hasPrefix("@") {
            return hang(on: object, keys.dropFirst(), isPath: false, &seen)
        }
        let rest = keys.dropFirst()
        let isNew = seen.insert(Place(object: ObjectIdentifier(object), key: key)).inserted
        if isNew {
            let observers = object.keyObservers ?? KeyObservers()
            if object.keyObservers == nil { object.keyObservers = observers }
            // An object that has left its context keeps none.
            let kept = object.keyObservers ?? observers
            kept.add(self, to: key, isLast: isPath && rest.isEmpty)
            hooks.append((kept, key))
            if object !== root { passed.append(object) }
            for path in type(of: object).keyPathsForValuesAffecting(key).sorted() {
                hang(on: object, Self.split(path)[...], isPath: false, &seen)
            }
        }
        if rest.isEmpty { return }
        switch try? object.value(forKey: key) {
        case .object(let next as any KeyValueObserving):
            hang(on: next, rest, isPath: isPath, &seen)
        case let members?:
            for case .object(let next as any KeyValueObserving) in members.elements ?? [] {
                hang(on: next, rest, isPath: false, &seen)
            }
        case nil: break
        }
    }

    private func value(of root: any KeyValueObserving) -> Value {
        (try? plan.value(from: .object(root))) ?? .null
    }

    func tellInitial(_ value: Value) {
        guard let root else { return }
        var change = KeyValueChange(.setting, keyPath, context: context)
        if options.contains(.new) { change.newValue = value }
        body(root, change)
    }

    func touch(_ touch: KeyTouch) -> Bool {
        guard let root else { return false }
        if let known = touched {
            touched?.touch = known.touch.followed(by: touch)
            return false
        }
        // The old value is always known, so that changes that follow can be told as one.
        let old = value(of: root)
        touched = Touched(old: old, touch: touch)
        guard options.contains(.prior) else { return true }
        var change = KeyValueChange(.setting, keyPath, context: context)
        change.isPrior = true
        if case .reload = touch { return true }
        if case .places(let kind, let indexes) = touch {
            change.kind = kind
            change.indexes = indexes
        }
        if options.contains(.old) {
            change.oldValue = change.kind == .insertion ? nil : old.members(at: change.indexes)
        }
        body(root, change)
        return true
    }

    func settle() {
        guard let touched, let root else { return }
        self.touched = nil
        if hooks.count > 1 {
            uninstall()
            install()
        }
        let old = touched.old ?? .null
        let new = value(of: root)
        var change = KeyValueChange(.setting, keyPath, context: context)
        var values: (old: Value?, new: Value?) = (old, new)
        switch touched.touch {
        case .setting: break
        case .reload where old == new: return
        case .members, .reload:
            let difference = MemberDifference(from: old, to: new)
            change.kind = difference.kind
            change.indexes = difference.indexes
            values = (difference.old, difference.new)
        case .places(let kind, let indexes):
            change.kind = kind
            change.indexes = indexes
            values = (old.members(at: indexes), new.members(at: indexes))
        }
        if change.kind == .insertion { values.old = nil }
        if change.kind == .removal { values.new = nil }
        if options.contains(.old) { change.oldValue = values.old }
        if options.contains(.new) { change.newValue = values.new }
        body(root, change)
    }
}

extension KeyTouch {
    /// Two changes of one observation told as one.
    fileprivate func followed(by next: KeyTouch) -> KeyTouch {
        switch (self, next) {
        case (.setting, _), (.reload, .setting): .setting
        case (.reload, .reload): .reload
        default: .members
        }
    }
}

extension Value {
    /// The members at some places of an array; the value itself without places.
    fileprivate func members(at indexes: RangeSet<Int>?) -> Value {
        guard let indexes, case .array(let values) = self else { return self }
        return .array(values.indices.filter { indexes.contains($0) }.map { values[$0] })
    }
}
