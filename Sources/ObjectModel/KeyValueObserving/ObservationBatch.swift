/// Changes that belong together: observers hear of them when the last is done, each once.
///
/// So an observer never sees one side of a relationship without the other. What holds observers
/// back is of two kinds:
/// - *scopes*: pieces of work of the framework, ended where they were begun;
/// - *said changes*: `willChangeValue(forKey:)` by a program, listed by object and key until the
///   `didChangeValue(forKey:)` of the same object and key. So one cannot end another, and what
///   happens to observers or to the object between the two does no harm.
package final class ObservationBatch {
    /// A change that a program has said to come.
    private struct SaidChange {
        let object: ObjectIdentifier
        let key: String
        /// Whether the key was observed, so that observers wait for the end.
        var isHeard: Bool
    }

    private var depth = 0
    private var said: [SaidChange] = []
    /// How many of the said changes observers wait for.
    private var heard = 0
    private var touched: [any KeyWatcher] = []

    package init() {}

    /// Begins a scope.
    package func begin() { depth += 1 }

    func add(_ watcher: any KeyWatcher, _ touch: KeyTouch) {
        if watcher.touch(touch) { touched.append(watcher) }
    }

    /// Ends a scope; at the outermost end the observers are told.
    package func end() {
        depth -= 1
        tellIfDone()
    }

    /// A program says that a key is about to change; observers wait if somebody observes it.
    ///
    /// - Complexity: O(1).
    package func say(_ object: AnyObject, _ key: String, isHeard: Bool) {
        said.append(SaidChange(object: ObjectIdentifier(object), key: key, isHeard: isHeard))
        if isHeard { heard += 1 }
    }

    /// A program says that a key has changed; without a beginning this does nothing.
    ///
    /// - Complexity: O(changes that began later and still go on).
    package func done(_ object: AnyObject, _ key: String) {
        guard let index = lastSaid(object, key) else { return }
        let change = said.remove(at: index)
        if !change.isHeard { return }
        heard -= 1
        tellIfDone()
    }

    /// Begins an observation of a key that may be changing: its end is waited for, and what then
    /// differs is told.
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

    /// An object goes, with the changes that were said of it.
    ///
    /// Observers are told by the next ``tellIfDone()`` or ``end()``.
    package func forget(_ object: AnyObject) {
        if said.isEmpty { return }
        let id = ObjectIdentifier(object)
        said.removeAll { $0.object == id }
        heard = said.count { $0.isHeard }
    }

    /// All objects go.
    package func forgetAll() {
        said = []
        heard = 0
    }

    /// Tells the observers, unless more is to come.
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
