import ObjectGraph

/// The objects of the entity Team.
final class Team: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("city") var city: String
    @Managed("name") var name: String

    /// They go with the team.
    @Managed("players") var players: Set<Player>
    // End of the properties of the model.
}
