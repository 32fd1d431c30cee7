/// An object whose keys can be observed.
///
/// Managed objects can. A plain class opts in with one stored property, `nil` while nobody looks:
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
/// Setting by key notifies by itself; a setter in Swift says ``changing(_:_:)``. A class whose
/// setters all do that answers false to ``automaticallyNotifiesObservers(forKey:)``, so that
/// nothing is told twice. `KeyTableCoding` and this protocol belong on the same class.
///
/// Rules (where the practice of others is silent, this is ours):
/// - Observers hear of a setting also if the new value equals the old one; a relationship that is
///   set to what it is already is no change.
/// - Changes nested in one another are told when the outermost is done, each observer once, in the
///   order in which they were touched; then `old` is the value before the first of them.
/// - What happened to members decides the kind, however it was done: only joined = insertion, only
///   left = removal, others in the same places = replacement, else setting.
/// - Merges, refreshes and rollbacks tell what differs, as one change, without a prior.
/// - A path may pass through to-many relationships and operators: `staff.@sum.salary`. It may lead
///   nowhere for now: observers hear when it leads somewhere.
/// - A change that a program says by hand ends with the `did` of the same object and key, with the
///   object's deletion being saved, and with a reset of its context; a `did` alone does nothing.
/// - An observation that begins between the two is told once, at the end, if the value differs from
///   what it was at the beginning. Of a plain object this needs somebody who observed it before:
///   one that nobody observes keeps no record of what is said.
///
/// - Complexity: nothing while nobody observes the object (managed objects: one flag test). A
///   change of an observed key costs O(observers of the key), with a path also a walk along it.
public protocol KeyValueObserving: KeyValueCoding {
    /// The object's observers; `nil` while there are none.
    var keyObservers: KeyObservers? { get set }

    /// The key paths on which a key depends: when one of them changes, so does the key.
    static func keyPathsForValuesAffecting(_ key: String) -> Set<String>

    /// Whether setting the key by ``KeyValueCoding/setValue(_:forKey:)`` (for managed objects: by
    /// any accessor) notifies; false leaves it to the class.
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool

    /// Says by hand that a key is about to change; ``didChangeValue(forKey:)`` must follow.
    func willChangeValue(forKey key: String)
    func didChangeValue(forKey key: String)

    /// Says that members at some places of an ordered key are about to change.
    ///
    /// The places count before a removal or replacement, and after an insertion.
    func willChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    )
    func didChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    )

    /// Says that members of a key are about to change; observers are told which did.
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
    public func changing<Result>(
        _ key: String,
        _ body: () throws -> Result
    ) rethrows -> Result {
        willChangeValue(forKey: key)
        defer { didChangeValue(forKey: key) }
        return try body()
    }
}

extension KeyTableCoding where Self: KeyValueObserving {
    public func setValue(_ value: Value, forKey key: String) throws {
        guard keyObservers != nil, Self.automaticallyNotifiesObservers(forKey: key) else {
            return try setTableValue(value, forKey: key)
        }
        willChangeValue(forKey: key)
        defer { didChangeValue(forKey: key) }
        try setTableValue(value, forKey: key)
    }
}
