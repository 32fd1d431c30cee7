/// Who observes the keys of one object.
///
/// A plain class that can be observed keeps one, `nil` while nobody observes it; managed objects
/// keep theirs in their context.
public final class KeyObservers {
    private struct Hook {
        let watcher: any KeyWatcher
        /// Whether the key is the end of what is observed, so that its kind of change is told.
        let isLast: Bool
    }

    private var hooks: [String: [Hook]] = [:]
    /// The changes that are told together.
    package let batch: ObservationBatch

    package init(batch: ObservationBatch = ObservationBatch()) { self.batch = batch }

    /// The key whose members a proxy is changing: it has said how, so setters add nothing to it.
    private var performing: String?

    /// Whether nobody observes any key any more.
    package var isEmpty: Bool { hooks.isEmpty }

    /// Whether somebody observes a key.
    package func isObserved(_ key: String) -> Bool { hooks[key] != nil }

    func add(_ watcher: any KeyWatcher, to key: String, isLast: Bool) {
        hooks[key, default: []].append(Hook(watcher: watcher, isLast: isLast))
    }

    func remove(_ watcher: any KeyWatcher, from key: String) {
        hooks[key]?.removeAll { $0.watcher === watcher }
        if hooks[key]?.isEmpty == true { hooks[key] = nil }
    }

    /// A key is about to change; ended by the end of the batch.
    package func willChange(_ key: String, _ touch: KeyTouch = .setting) {
        batch.begin()
        self.touch(key, touch)
    }

    /// A program says that a key of an object is about to change.
    package func say(_ object: AnyObject, _ key: String, _ touch: KeyTouch) {
        batch.say(object, key, isHeard: isObserved(key))
        self.touch(key, touch)
    }

    /// Changes members of a key, as one change of which is known what it is.
    func perform(_ key: String, _ touch: KeyTouch, _ body: () throws -> Void) rethrows {
        batch.begin()
        defer { batch.end() }
        self.touch(key, touch)
        let outer = performing
        performing = key
        defer { performing = outer }
        do {
            try body()
        } catch {
            performing = outer
            self.touch(key, .reload)
            throw error
        }
    }

    /// A key is about to change within a batch that somebody else ends.
    package func touch(_ key: String, _ touch: KeyTouch) {
        if let performing, performing == key { return }
        for hook in hooks[key] ?? [] {
            batch.add(hook.watcher, hook.isLast ? touch : touch.asPartOfPath)
        }
    }

    /// Any key may change, within a batch that somebody else ends; what stays is not told.
    package func touchAll() {
        for key in hooks.keys.sorted() { touch(key, .reload) }
    }
}

/// How a key is about to change.
package enum KeyTouch {
    /// Its value is replaced.
    case setting
    /// Its members change; how is found out by comparing.
    case members
    /// Members at known places.
    case places(KeyValueChange.Kind, RangeSet<Int>)
    /// Members join or leave; those that will have.
    case membership(KeyValueChange.Kind, Value)
    /// It may change, or not.
    case reload

    /// The same on the way to what is observed.
    var asPartOfPath: KeyTouch {
        if case .reload = self { return .reload }
        return .setting
    }
}

/// What hangs on keys and is told of their changes.
package protocol KeyWatcher: AnyObject {
    /// A change is coming; returns whether it is the first since ``settle()``.
    func touch(_ touch: KeyTouch) -> Bool
    /// The change is done.
    func settle()
}
