import ObjectContext
import ObjectGraph
import ObjectModel
import SeededRandom
import Testing

/// Moving rows of a results controller by an attribute with the display order.
@Suite("Moving rows")
struct MovingRowsTests {
    private final class Song: ManagedObject {
        @Managed var title: String
        @Managed var place: Int?
        @Managed var shortPlace: Int16 = 0
        @Managed var genre: String?
        @Managed(inverse: \.songs) var album: Album?
        @Managed var score: Double = 0
    }
    private final class Album: ManagedObject {
        @Managed var name: String
        @Managed var songs: Set<Song>
    }

    private let context: ManagedObjectContext

    init() throws {
        context = try PersistentContainer(for: Song.self, options: .inMemory).viewContext
        context.undoManager = UndoManager()
    }

    private func makeSongs(_ places: [Int?]) throws {
        for (index, place) in places.enumerated() {
            let song = context.insert(Song.self)
            song.title = "\(index)"
            song.place = place
            song.shortPlace = Int16(place ?? 0)
        }
        try context.save()
    }

    private func controller(
        _ keys: [FetchSortDescriptor] = [
            FetchSortDescriptor("place"), FetchSortDescriptor("title"),
        ],
        sections: String? = nil,
        isTracking: Bool = true
    ) throws -> FetchedResultsController<Song> {
        var request = FetchRequest<Song>()
        request.sortDescriptors = keys
        let controller = try FetchedResultsController(
            request: request,
            context: context,
            sectionNameKeyPath: sections
        )
        if isTracking { controller.didChange = { _ in } }
        try controller.performFetch()
        return controller
    }

    private func titles(_ controller: FetchedResultsController<Song>) -> [String] {
        controller.fetchedObjects.map(\.title)
    }

    private func row(_ item: Int, _ section: Int = 0) -> ResultIndexPath {
        ResultIndexPath(section: section, item: item)
    }

    @Test(arguments: [false, true])
    func moveWritesOneRowAndIsOneStepOfUndo(_ isTracking: Bool) throws {
        try makeSongs((0..<5).map { $0 * 1024 })
        let controller = try controller(isTracking: isTracking)
        var changes: [ResultsChange] = []
        if isTracking { controller.didChange = { changes.append($0) } }
        try controller.move(from: row(4), to: row(1), as: "Move Song")
        #expect(titles(controller) == ["0", "4", "1", "2", "3"])
        #expect(context.updatedObjects.count == 1)
        if isTracking { #expect(changes.count == 1 && changes.first?.objects.count == 1) }
        try controller.move(from: row(0), to: row(4))
        #expect(titles(controller) == ["4", "1", "2", "3", "0"])
        try context.save()
        #expect(context.undoManager?.canUndo == true)
        try context.undo()
        try controller.performFetch()
        #expect(titles(controller) == ["0", "4", "1", "2", "3"])
        #expect(context.undoManager?.undoActionName == "Move Song")
        try context.undo()
        try controller.performFetch()
        #expect(titles(controller) == ["0", "1", "2", "3", "4"])
    }

    @Test func numbersWithoutGapsAndNilAndEqualOnesGetGapsWhereRowsMove() throws {
        for places in [[0, 1, 2, 3, 4, 5], [7, 7, 7, 7, 7, 7], [nil, nil, nil, nil, 3, 3]]
            as [[Int?]]
        {
            for song in try context.all("Song") { context.delete(song) }
            try makeSongs(places)
            let controller = try controller()
            #expect(titles(controller) == ["0", "1", "2", "3", "4", "5"])
            try controller.move(from: row(5), to: row(2))
            #expect(titles(controller) == ["0", "1", "5", "2", "3", "4"], "\(places)")
            try context.save()
            try controller.move(from: row(0), to: row(5))
            #expect(titles(controller) == ["1", "5", "2", "3", "4", "0"], "\(places)")
            try context.save()
        }
    }

    @Test func descendingOrderMovesTheSameWay() throws {
        try makeSongs([50, 40, 30, 20, 10])
        let controller = try controller([FetchSortDescriptor("place", ascending: false)])
        try controller.move(from: row(0), to: row(3))
        #expect(titles(controller) == ["1", "2", "3", "0", "4"])
        try controller.move(from: row(4), to: row(0))
        #expect(titles(controller) == ["4", "1", "2", "3", "0"])
    }

    @Test func randomMovesKeepTheOrderAndWriteFewRows() throws {
        var random = SeededRandom()
        try makeSongs((0..<60).map { $0 })
        for key in ["place", "shortPlace"] {
            let keys = [FetchSortDescriptor(key), FetchSortDescriptor("title")]
            let controller = try controller(keys)
            var expected = titles(controller)
            var written = 0
            for _ in 0..<300 {
                let from = random.below(60)
                // Half of the moves go to one place.
                let to = random.chance(2) ? 30 : random.below(60)
                expected.insert(expected.remove(at: from), at: to)
                try controller.move(from: row(from), to: row(to))
                written += context.updatedObjects.count
                try context.save()
                #expect(titles(controller) == expected)
            }
            #expect(written < 300 * (key == "place" ? 2 : 6), "\(key): \(written)")
        }
    }

    @Test func rowTakesWhatMakesTheSectionItMovesTo() throws {
        let albums = ["A", "B"].map { name in
            let album = context.insert(Album.self)
            album.name = name
            return album
        }
        for index in 0..<6 {
            let song = context.insert(Song.self)
            (song.title, song.place) = ("\(index)", index % 3 * 10)
            song.album = albums[index / 3]
            song.genre = index < 3 ? "Jazz" : "Rock"
        }
        try context.save()
        let byAlbum = try controller(
            [FetchSortDescriptor("album.name"), FetchSortDescriptor("place")],
            sections: "album.name"
        )
        try byAlbum.move(from: row(0, 0), to: row(1, 1))
        #expect(byAlbum.snapshot.sections.map(\.ids.count) == [2, 4])
        #expect(titles(byAlbum) == ["1", "2", "3", "0", "4", "5"])
        #expect(byAlbum.object(at: row(1, 1)).album === albums[1])
        let byGenre = try controller(
            [FetchSortDescriptor("genre"), FetchSortDescriptor("place")],
            sections: "genre"
        )
        try byGenre.move(from: row(0, 1), to: row(3, 0))
        #expect(byGenre.object(at: row(3, 0)).title == "3")
        #expect(byGenre.object(at: row(3, 0)).genre == "Jazz")
    }

    @Test func whatCannotMoveIsToldAndNothingChanges() throws {
        try makeSongs([0, 1, 2])
        let byTitle = try controller([FetchSortDescriptor("title")])
        func message(_ body: () throws -> Void) -> String? {
            let error = failure(body)
            #expect(error?.code == .invalidRequest)
            return error?.message
        }
        #expect(
            message { try byTitle.move(from: row(0), to: row(1)) }?.contains("display order")
                == true
        )
        let byPlace = try controller()
        #expect(message { try byPlace.move(from: row(0), to: row(1), by: \.score) } != nil)
        for (from, to) in [
            (row(3), row(0)), (row(-1), row(0)), (row(0), row(3)), (row(0), row(0, 1)),
        ] {
            #expect(message { try byPlace.move(from: from, to: to) } != nil)
        }
        let songs = byPlace.fetchedObjects
        for (song, genre) in zip(songs, ["a", "b", "c"]) { song.genre = genre }
        try context.save()
        let byGenre = try controller([FetchSortDescriptor("genre"), FetchSortDescriptor("place")])
        #expect(
            message { try byGenre.move(from: row(0), to: row(2)) }?.contains(
                "sorted by \"genre\" first"
            )
                == true
        )
        #expect(!context.hasChanges)
    }

    @Test func sectionIndexTitlesAreMadeByTheProgram() throws {
        for (index, genre) in ["1999", "blues", "2001", "soul", "Swing", ""].enumerated() {
            let song = context.insert(Song.self)
            (song.title, song.genre) = ("\(index)", genre)
        }
        try context.save()
        let controller = try controller([FetchSortDescriptor("genre")], sections: "genre")
        #expect(controller.sectionIndexTitles == ["", "1", "2", "S", "B"])
        controller.sectionIndexTitleForSectionName = { name in
            guard let first = name.first else { return nil }
            return first.isNumber ? "#" : "\(first)".lowercased()
        }
        #expect(controller.sectionIndexTitles == ["#", "s", "b"])
        #expect(controller.sectionIndexTitle(forSectionName: "Tango") == "t")
        #expect(controller.sectionIndexTitle(0) == "")
        #expect(controller.section(forSectionIndexTitle: "#") == 1)
        #expect(controller.section(forSectionIndexTitle: "x") == nil)
        controller.sectionIndexTitleForSectionName = nil
        #expect(controller.sectionIndexTitle(forSectionName: "tango") == "T")
    }
}
