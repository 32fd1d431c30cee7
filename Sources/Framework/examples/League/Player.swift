import ObjectGraph

/// The objects of the entity Player.
final class Player: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("goals") var goals: Int16
    @Managed("name") var name: String
    @Managed("team") var team: Team?
    // End of the properties of the model.
}
