import ObjectGraph

/// One search field for everything, as in a music player.
///
/// Every word must occur in the name, the album or the artist. The model marks the searched
/// attributes; an SQLite store has an index of them.
struct SongsExample: Example {
    let name = "songs"
    let summary = "search as you type over name, album and artist: \"yesterday beatles\""

    private static let songs = [
        ("Yesterday", "Help!", "The Beatles"),
        ("Help!", "Help!", "The Beatles"),
        ("Let It Be", "Let It Be", "The Beatles"),
        ("Yesterday Once More", "Now & Then", "Carpenters"),
        ("Only Yesterday", "Horizon", "Carpenters"),
        ("Für Elise", "Bagatelles", "Beethoven"),
        ("Déjà Vu", "B'Day", "Beyoncé"),
        ("Halo", "I Am... Sasha Fierce", "Beyoncé"),
    ]

    private static let searches = [
        "yesterday", "yesterday beatles", "  BEATLES   yester ", "help", "beyonce", "fur elise",
        "be", "yesterday beethoven",
    ]

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(SongsModel.make(), SongsModel.classes)
        let context = container.viewContext
        if try Song.count(in: context) == 0 {
            for (name, album, artist) in Self.songs {
                let song = context.insert(Song.self)
                song.name = name
                song.album = album
                song.artist = artist
            }
            try context.save()
        }

        let all = try context.search("", in: Song.self)
        output("\(counted(all.count, "song")) without a search text.")
        for text in Self.searches {
            output()
            output("\"\(text)\"")
            let found = try search(text, context)
            if found.isEmpty { output("  no song") }
            output.rows(
                try found.map { song in
                    [song.name, song.artist ?? "", try song.matches(text).joined(separator: ", ")]
                }
            )
        }
    }

    private func search(_ text: String, _ context: ManagedObjectContext) throws -> [Song] {
        let ids = try context.search(text, in: Song.self, sortedBy: \.name.localizedStandard)
        return ids.compactMap { context.object(with: $0) as? Song }
    }
}
