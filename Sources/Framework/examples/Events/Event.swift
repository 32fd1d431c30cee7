import FoundationEssentials
import ObjectGraph

/// The objects of the entity Event.
final class Event: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("date") var date: Date
    @Managed("title") var title: String
    // End of the properties of the model.
}
