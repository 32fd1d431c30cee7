/// The examples, in the order of the list: one line each.
enum ExampleTable {
    static let all: [any Example] = [
        EventsExample(),
        OrgChartExample(),
        LeagueExample(),
        ShapesExample(),
        FavouritesExample(),
        SongsExample(),
        EditSheetExample(),
        FeedReaderExample(),
        UmpireExample(),
        PhotosExample(),
        StashExample(),
        ClothingExample(),
        ImportExample(),
        ImagesExample(),
        LabExample(),
        DocumentsExample(),
    ]

    static func example(named name: String) -> (any Example)? {
        all.first { $0.name == name }
    }
}
