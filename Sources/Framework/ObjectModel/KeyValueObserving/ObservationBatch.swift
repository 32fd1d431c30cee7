/// Changes that belong together: each observer is notified once, when the last of them has ended.
///
/// So an observer never sees one side of a relationship without the other. Two things delay the
/// notification:
/// - *scopes*: pieces of the framework's work, which end where they began;
/// - *announced changes*: a program's `willChangeValue(forKey:)`, listed by object and key until
///   the `didChangeValue(forKey:)` of the same object and key. So one cannot end another, and
///   observers and the object may come and go between the two.
package final class ObservationBatch {
    /// A change that a program has announced.
    private struct SaidChange {
        let object: ObjectIdentifier
        let key: String
        /// Whether the key was observed, so that observers wait for the end of the change.
        var isHeard: Bool
    }

    private var depth = 0
    private var said: [SaidChange] = []
    /// How many of the announced changes observers wait for.
    private var heard = 0
    private var touched: [any KeyWatcher] = []

    package init() {}

    /// Begins a scope.
    package func begin() { depth += 1 }

    func add(_ watcher: any KeyWatcher, _ touch: KeyTouch) {
        if watcher.touch(touch) { touched.append(watcher) }
    }

    /// Ends a scope; the outermost end notifies the observers.
    package func end() {
        depth -= 1
        tellIfDone()
    }

    /// A program announces a change of a key; observers wait if the key is observed.
    ///
    /// - Complexity: O(1).
    package func say(_ object: AnyObject, _ key: String, isHeard: Bool) {
        said.append(SaidChange(object: ObjectIdentifier(object), key: key, isHeard: isHeard))
        if isHeard { heard += 1 }
    }

    /// A program ends an announced change; without its beginning this does nothing.
    ///
    /// - Complexity: O(changes that began later and have not ended).
    package func done(_ object: AnyObject, _ key: String) {
        guard let index = lastSaid(object, key) else { return }
        let change = said.remove(at: index)
        if !change.isHeard { return }
        heard -= 1
        tellIfDone()
    }

    /// Begins an observation of a key that may be changing now: it waits for the end of that change
    /// and reports the difference.
    func join(_ watcher: any KeyWatcher, _ object: AnyObject, _ key: String) {
        if said.isEmpty { return }
        guard let index = lastSaid(object, key) else { return }
        if !said[index].isHeard {
            said[index].isHeard = true
            heard += 1
        }
        add(watcher, .reload)
    }

    private func lastSaid(_ object: AnyObject, _ key: String) -> Int? {
        let id = ObjectIdentifier(object)
        return said.lastIndex { $0.object == id && $0.key == key }
    }

    /// An object is removed, with the changes that were announced for it.
    ///
    /// The next ``tellIfDone()`` or ``end()`` notifies the observers.
    package func forget(_ object: AnyObject) {
        if said.isEmpty { return }
        let id = ObjectIdentifier(object)
        said.removeAll { $0.object == id }
        heard = said.count { $0.isHeard }
    }

    /// All objects are removed.
    package func forgetAll() {
        said = []
        heard = 0
    }

    /// Notifies the observers, unless more changes are to come.
    @inline(__always)
    package func tellIfDone() {
        if depth == 0, heard == 0, !touched.isEmpty { tell() }
    }

    private func tell() {
        let due = touched
        touched = []
        for watcher in due { watcher.settle() }
    }
}
