/// Depends on every key that a path leads through and on the keys that these depend on.
///
/// When one of them changes, observers receive the value of the whole path, and the watcher moves
/// its hooks to the objects that the path leads through now.
final class PathWatcher: KeyWatcher {
    /// A key of an object.
    private struct Place: Hashable {
        let object: ObjectIdentifier
        let key: String
    }

    private struct Touched {
        var old: GraphValue
        var touch: KeyTouch
    }

    private weak var root: (any KeyValueObserving)?
    private let keyPath: String
    private let plan: KeyPathPlan
    private let options: KeyValueObservingOptions
    private let context: (any Sendable)?
    private let body: (any KeyValueObserving, KeyValueChange) -> Void
    private var hooks: [(observers: KeyObservers, key: String)] = []
    /// The observers of the first object.
    ///
    /// An object without a context cannot find them any more.
    private var rootObservers: KeyObservers?
    /// Whether a change can lead the path elsewhere.
    ///
    /// A single key without dependencies cannot.
    private var canLeadElsewhere = true
    /// The objects that the path leads through; their contexts hold them weakly.
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
        canLeadElsewhere =
            plan.keys.count != 1 || plan.operation != nil
            || !type(of: root).keyPathsForValuesAffecting(plan.keys[0]).isEmpty
    }

    // MARK: Hooks

    func install() {
        guard let root else { return }
        var seen: Set<Place> = []
        hang(on: .object(root), plan, 0, isPath: true, &seen)
    }

    private func uninstall() {
        for (observers, key) in hooks { observers.remove(self, from: key) }
        hooks = []
        passed = []
    }

    func stop() {
        uninstall()
        rootObservers = nil
        root = nil
        touched = nil
    }

    /// Hooks onto the objects that a path leads through, from a value and the key at an index.
    ///
    /// `isPath` is true if the path has met neither members nor operators, so that the kind of
    /// change of the last key is the path's kind.
    private func hang(
        on value: GraphValue,
        _ plan: KeyPathPlan,
        _ index: Int,
        isPath: Bool,
        _ seen: inout Set<Place>
    ) {
        if index == plan.keys.count {
            // The keys after an operator apply to every member, and to members of members.
            if let right = plan.operation?.right {
                hang(on: value, right, 0, isPath: false, &seen)
            }
            return
        }
        let key = plan.keys[index]
        switch value {
        case .object(let object):
            let isLast = index + 1 == plan.keys.count && plan.operation == nil
            if let object = object as? any KeyValueObserving {
                hang(on: object, key, isLast: isPath && isLast, &seen)
            }
            if isLast { return }
            guard let next = try? value.value(forKey: key) else { return }
            hang(on: next, plan, index + 1, isPath: isPath, &seen)
        case .array, .set:
            for member in value.elements ?? [] {
                hang(on: member, plan, index, isPath: false, &seen)
            }
        case .dictionary(let entries):
            guard let next = entries[key] else { return }
            hang(on: next, plan, index + 1, isPath: false, &seen)
        default: break
        }
    }

    private func hang(
        on object: any KeyValueObserving,
        _ key: String,
        isLast: Bool,
        _ seen: inout Set<Place>
    ) {
        let place = Place(object: ObjectIdentifier(object), key: key)
        guard seen.insert(place).inserted else { return }
        let observers = observers(of: object)
        observers.add(self, to: key, isLast: isLast)
        hooks.append((observers, key))
        if object !== root { passed.append(object) }
        for path in type(of: object).keyPathsForValuesAffecting(key).sorted() {
            hang(on: .object(object), KeyPathPlan(path), 0, isPath: false, &seen)
        }
        observers.batch.join(self, object, key)
    }

    private func observers(of object: any KeyValueObserving) -> KeyObservers {
        let made = KeyObservers()
        if object.keyObservers == nil { object.keyObservers = made }
        // A managed object creates its own observers, and has none without a context. Its deletion
        // may be undone, so those of the first object are kept.
        let observers = object.keyObservers ?? (object === root ? rootObservers : nil) ?? made
        if object === root { rootObservers = observers }
        return observers
    }

    // MARK: Telling

    private func value(of root: any KeyValueObserving) -> GraphValue {
        (try? plan.value(from: .object(root))) ?? .null
    }

    func tellInitial(_ value: GraphValue) {
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
        // The old value is always needed, so that later changes can be reported together with this
        // one.
        let old = value(of: root)
        touched = Touched(old: old, touch: touch)
        guard options.contains(.prior) else { return true }
        var change = KeyValueChange(.setting, keyPath, context: context)
        change.isPrior = true
        if case .reload = touch { return true }
        var members = old
        switch touch {
        case .places(let kind, let indexes):
            change.kind = kind
            change.indexes = indexes
            members = old.members(at: indexes)
        case .membership(let kind, let some):
            change.kind = kind
            members = some
        default: break
        }
        if options.contains(.old), change.kind != .insertion { change.oldValue = members }
        body(root, change)
        return true
    }

    func settle() {
        guard let touched else { return }
        self.touched = nil
        // An object that its context no longer knows has no observers, and cannot be read.
        guard let root, root.keyObservers != nil else { return }
        if canLeadElsewhere {
            uninstall()
            install()
        }
        let new = value(of: root)
        guard let change = change(touched, to: new) else { return }
        body(root, change)
    }

    /// The change to report; `nil` if nothing has changed.
    private func change(_ touched: Touched, to new: GraphValue) -> KeyValueChange? {
        let old = touched.old
        var change = KeyValueChange(.setting, keyPath, context: context)
        var values: (old: GraphValue?, new: GraphValue?) = (old, new)
        switch touched.touch {
        case .setting: break
        case .reload where old == new: return nil
        case .places(let kind, let indexes) where fits(kind, indexes, old, new):
            change.kind = kind
            change.indexes = indexes
            values = (old.members(at: indexes), new.members(at: indexes))
        case .members, .membership, .places, .reload:
            let difference = MemberDifference(from: old, to: new)
            change.kind = difference.kind
            change.indexes = difference.indexes
            values = (difference.old, difference.new)
        }
        if change.kind == .insertion { values.old = nil }
        if change.kind == .removal { values.new = nil }
        if options.contains(.old) { change.oldValue = values.old }
        if options.contains(.new) { change.newValue = values.new }
        return change
    }
}

/// Whether arrays have the lengths that a change at some indexes makes.
///
/// A class may do something other than the change that was asked for.
private func fits(
    _ kind: KeyValueChange.Kind,
    _ indexes: RangeSet<Int>,
    _ old: GraphValue,
    _ new: GraphValue
) -> Bool {
    guard case .array(let before) = old, case .array(let after) = new else { return true }
    let count = indexes.ranges.reduce(0) { $0 + $1.count }
    return switch kind {
    case .insertion: after.count == before.count + count
    case .removal: after.count == before.count - count
    default: after.count == before.count
    }
}

extension KeyTouch {
    /// Two changes of one observation, reported as one.
    fileprivate func followed(by next: KeyTouch) -> KeyTouch {
        switch (self, next) {
        case (.setting, _), (.reload, .setting): .setting
        case (_, .reload): .reload
        default: .members
        }
    }
}

extension GraphValue {
    /// The members at some indexes of an array; without indexes the value itself.
    fileprivate func members(at indexes: RangeSet<Int>?) -> GraphValue {
        guard let indexes, case .array(let values) = self else { return self }
        return .array(values.indices.filter { indexes.contains($0) }.map { values[$0] })
    }
}
