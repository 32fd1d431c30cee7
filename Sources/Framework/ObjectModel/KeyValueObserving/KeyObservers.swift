/// The observers of the keys of one object.
///
/// A plain class that can be observed keeps one instance, `nil` while there are no observers.
/// Managed objects keep theirs in their context.
public final class KeyObservers {
    private struct Hook {
        let watcher: any KeyWatcher
        /// Whether the key is the end of the observed path, so that observers need its kind of
        /// change.
        let isLast: Bool
    }

    private var hooks: [String: [Hook]] = [:]
    /// The changes that are reported together.
    package let batch: ObservationBatch

    package init(batch: ObservationBatch = ObservationBatch()) { self.batch = batch }

    /// The key whose members a proxy is changing.
    ///
    /// The proxy has reported the change already, so setters add nothing.
    private var performing: String?

    /// Whether no key is observed any more.
    package var isEmpty: Bool { hooks.isEmpty }

    package func isObserved(_ key: String) -> Bool { hooks[key] != nil }

    func add(_ watcher: any KeyWatcher, to key: String, isLast: Bool) {
        hooks[key, default: []].append(Hook(watcher: watcher, isLast: isLast))
    }

    func remove(_ watcher: any KeyWatcher, from key: String) {
        hooks[key]?.removeAll { $0.watcher === watcher }
        if hooks[key]?.isEmpty == true { hooks[key] = nil }
    }

    /// Notes that a key is about to change; the end of the batch ends the change.
    package func willChange(_ key: String, _ touch: KeyTouch = .setting) {
        batch.begin()
        self.touch(key, touch)
    }

    /// Notes that a program announces a change of a key by hand.
    package func say(_ object: AnyObject, _ key: String, _ touch: KeyTouch) {
        batch.say(object, key, isHeard: isObserved(key))
        self.touch(key, touch)
    }

    /// Changes members of a key, as one change whose kind and places are known.
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

    /// Notes that a key is about to change, within a batch that the caller ends.
    package func touch(_ key: String, _ touch: KeyTouch) {
        if let performing, performing == key { return }
        for hook in hooks[key] ?? [] {
            batch.add(hook.watcher, hook.isLast ? touch : touch.asPartOfPath)
        }
    }

    /// Notes that every key may change, within a batch that the caller ends; only real differences
    /// are reported.
    package func touchAll() {
        for key in hooks.keys.sorted() { touch(key, .reload) }
    }
}

/// How a key is about to change.
package enum KeyTouch {
    /// Its value is replaced.
    case setting
    /// Its members change; comparing finds out how.
    case members
    /// Members at known places.
    case places(KeyValueChange.Kind, RangeSet<Int>)
    /// Members are added or removed; these are the ones.
    case membership(KeyValueChange.Kind, GraphValue)
    /// It may change, or not.
    case reload

    /// The same for a key in the middle of an observed path.
    var asPartOfPath: KeyTouch {
        if case .reload = self { return .reload }
        return .setting
    }
}

/// An object that depends on keys and hears of their changes.
package protocol KeyWatcher: AnyObject {
    /// A change is coming; returns whether it is the first since ``settle()``.
    func touch(_ touch: KeyTouch) -> Bool
    /// The change is done.
    func settle()
}
