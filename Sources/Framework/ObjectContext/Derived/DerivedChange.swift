import ObjectModel

/// A derived value that a save has computed, to be restored if the save fails.
struct DerivedChange<Object: AnyObject> {
    let object: Object
    let slot: Int
    let old: GraphValue
    let computed: GraphValue
    /// Whether the attribute counted as changed before.
    let wasChanged: Bool
    /// Whether the object had other pending changes before.
    let wasUpdated: Bool
}
