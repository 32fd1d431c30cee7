import FoundationEssentials
import ObjectModel

/// What is merged as one value: a property, or the properties of a group (``SyncEntity/groups``).
struct MergeUnit {
    var properties: [PropertyDescription]
    let rule: MergeRule

    /// The value: of a group the list of its values, given at the latest of their times.
    func value(_ value: (String) throws -> StampedValue) rethrows -> StampedValue {
        let values = try properties.map { try value($0.name) }
        if values.count == 1 { return values[0] }
        let stamp = values.map(\.stamp).max() ?? .distantPast
        return StampedValue(.list(values.map(\.value)), stamp)
    }

    /// The values of the properties of which a value consists.
    func parts(_ value: SyncValue) -> [(property: PropertyDescription, value: SyncValue)] {
        Array(zip(properties, properties.count == 1 ? [value] : value.elements))
    }
}
