import ObjectGraph

/// Teams and their players; a team takes its players with it.
///
/// The delete rule of `Team.players` is cascade. In the file, `sqlite3` shows one table for each
/// entity: ZTEAM and ZPLAYER, in which ZTEAM is the key of the player's team.
struct LeagueExample: Example {
    let name = "league"
    let summary = "teams and players; deleting a team deletes its players"

    private static let squads: [(team: String, city: String, players: [(String, Int16)])] = [
        ("Rovers", "Northport", [("Ada Byrne", 7), ("Ben Osei", 2), ("Cleo Marsh", 11)]),
        ("United", "Eastham", [("Dana Novak", 4), ("Eli Ruiz", 9)]),
        ("Wanderers", "Westfield", [("Femi Adler", 0), ("Gus Lindt", 5), ("Hana Kato", 6)]),
    ]

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(LeagueModel.make(), LeagueModel.classes)
        let context = container.viewContext

        if try Team.count(in: context) == 0 { try fill(context) }

        output("The league")
        try show(context, output)

        guard let team = try Team.first(in: context, sortedBy: \.name) else { return }
        output()
        output("\(team.name) of \(team.city) is dissolved.")
        context.delete(team)
        // At the end of the event the delete rules have been applied, before any save.
        context.processPendingChanges()
        let gone = context.deletedObjects.compactMap { ($0 as? Player)?.name }.sorted()
        output("Its players go with it: \(gone.joined(separator: ", ")).")
        try context.save()

        output()
        output("The league now")
        try show(context, output)
    }

    private func fill(_ context: ManagedObjectContext) throws {
        for squad in Self.squads {
            let team = context.insert(Team.self)
            team.name = squad.team
            team.city = squad.city
            for (name, goals) in squad.players {
                let player = context.insert(Player.self)
                player.name = name
                player.goals = goals
                player.team = team
            }
        }
        try context.save()
    }

    private func show(_ context: ManagedObjectContext, _ output: Output) throws {
        // One more query reads the players of all teams, not one for each team.
        let teams = try Team.all(in: context, sortedBy: \.name, prefetching: \.players)
        for team in teams {
            output("  \(team.name), \(team.city)")
            let players = team.players.sorted { ($1.goals, $0.name) < ($0.goals, $1.name) }
            output.rows(players.map { [$0.name, "\($0.goals)"] }, indent: 4)
        }
        let players = try Player.count(in: context)
        output("  \(counted(teams.count, "team")), \(counted(players, "player"))")
    }
}
