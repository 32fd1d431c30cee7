/// An object whose keys can be observed.
///
/// Managed objects can. A plain class needs one stored property, `nil` while there are no
/// observers:
///
///     final class Track: KeyTableCoding, KeyValueObserving {
///         var keyObservers: KeyObservers?
///         private(set) var plays = 0
///
///         func play() { changing("plays") { plays += 1 } }
///
///         static let keyTable: AnyKeyTable = KeyTable<Track> {
///             $0.key("plays", get: { $0.plays }, set: { $0.plays = $1 })
///         }
///     }
///
///     let token = try track.observe("plays", options: [.old, .new]) { track, change in … }
///
/// Setting by key notifies automatically; a setter in Swift calls ``changing(_:_:)``. A class whose
/// setters all do that returns false from ``automaticallyNotifiesObservers(forKey:)``, so that
/// nothing is reported twice. Declare `KeyTableCoding` and this protocol on the same class.
///
/// Rules (some are ours, where Foundation's documentation says nothing):
/// - Setting a value notifies also if the new value equals the old one. Setting a relationship to
///   its present objects is not a change.
/// - Nested changes are reported when the outermost one ends: each observer once, in the order in
///   which they were touched. `old` is then the value before the first of them.
/// - The kind depends on what happened to the members, not on the method: only added = insertion,
///   only removed = removal, others at the same indexes = replacement, else setting.
/// - Merges, refreshes and rollbacks report the difference as one change, without a prior
///   notification.
/// - A path may pass through to-many relationships and operators: `staff.@sum.salary`. It may meet
///   `nil`: observers hear when it leads to a value again.
/// - A change that a program announces by hand ends with the `did` call of the same object and key,
///   with the save of the object's deletion, and with a reset of its context. A `did` call without
///   a `will` call does nothing.
/// - An observation that begins between the two calls is notified once, at the end, if the value
///   differs from the one at its beginning. For a plain object this needs an earlier observer: an
///   object without observers does not record announced changes.
///
/// - Complexity: O(1) while the object has no observers (managed objects: one flag test). A
///   change of an observed key costs O(observers of the key), with a path also a walk along it.
public protocol KeyValueObserving: KeyValueCoding {
    /// The object's observers; `nil` without any.
    var keyObservers: KeyObservers? { get set }

    /// The key paths on which a key depends: when one of them changes, so does the key.
    static func keyPathsForValuesAffecting(_ key: String) -> Set<String>

    /// Whether setting the key by ``KeyValueCoding/setValue(_:forKey:)`` (for managed objects: by
    /// any accessor) notifies. With false the class notifies itself.
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool

    /// Announces that a key is about to change; ``didChangeValue(forKey:)`` must follow.
    func willChangeValue(forKey key: String)
    func didChangeValue(forKey key: String)

    /// Announces that members at some indexes of an ordered key are about to change.
    ///
    /// The indexes count before a removal or replacement, and after an insertion.
    func willChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    )
    func didChange(_ kind: KeyValueChange.Kind, valuesAt indexes: RangeSet<Int>, forKey key: String)

    /// Announces that members of a key are about to change; comparing finds out which.
    func willChangeMembers(forKey key: String)
    func didChangeMembers(forKey key: String)
}

extension KeyValueObserving {
    public static func keyPathsForValuesAffecting(_ key: String) -> Set<String> { [] }

    public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    public func willChangeValue(forKey key: String) { keyObservers?.say(self, key, .setting) }

    public func didChangeValue(forKey key: String) { keyObservers?.batch.done(self, key) }

    public func willChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    ) {
        keyObservers?.say(self, key, .places(kind, indexes))
    }

    public func didChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    ) {
        keyObservers?.batch.done(self, key)
    }

    public func willChangeMembers(forKey key: String) { keyObservers?.say(self, key, .members) }

    public func didChangeMembers(forKey key: String) { keyObservers?.batch.done(self, key) }

    /// Changes a key by hand, with notification.
    ///
    /// - Throws: what `body` throws; observers are notified then too.
    public func changing<Result>(_ key: String, _ body: () throws -> Result) rethrows -> Result {
        willChangeValue(forKey: key)
        defer { didChangeValue(forKey: key) }
        return try body()
    }
}

extension KeyTableCoding where Self: KeyValueObserving {
    /// Sets a declared key, with notification.
    ///
    /// - Throws: as without observers: an unknown key, a value of the wrong kind.
    public func setValue(_ value: GraphValue, forKey key: String) throws {
        guard keyObservers != nil, Self.automaticallyNotifiesObservers(forKey: key) else {
            return try setTableValue(value, forKey: key)
        }
        willChangeValue(forKey: key)
        defer { didChangeValue(forKey: key) }
        try setTableValue(value, forKey: key)
    }
}
