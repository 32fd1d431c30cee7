import ObjectModel
import Testing

/// A plain class that can be observed.
private final class Track: KeyTableCoding, KeyValueObserving {
    var keyObservers: KeyObservers?
    var title = ""
    private(set) var plays = 0
    var album: Album?

    func play() { changing("plays") { plays += 1 } }

    var label: String { "\(title) (\(plays))" }

    static let keyTable: AnyKeyTable = KeyTable<Track> {
        $0.key("title", \.title)
        $0.key("plays", get: { $0.plays }, set: { track, plays in track.plays = plays })
        $0.key("label", readOnly: \.label)
        $0.toOne("album", \.album)
    }

    static func keyPathsForValuesAffecting(_ key: String) -> Set<String> {
        key == "label" ? ["title", "plays"] : []
    }

    static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "plays" }
}

private final class Album: KeyTableCoding, KeyValueObserving {
    var keyObservers: KeyObservers?
    var name = ""
    var tracks: [Track] = []

    static let keyTable: AnyKeyTable = KeyTable<Album> {
        $0.key("name", \.name)
        $0.toMany("tracks", \.tracks)
    }
}

@Suite struct PlainObservingTests {
    private let track = Track()

    @Test func settingByKeyTellsOldAndNew() throws {
        track.title = "One"
        var changes: [KeyValueChange] = []
        let token = try track.observe("title", options: [.old, .new], context: "mine") {
            changes.append($1)
        }
        try track.setValue("Two", forKey: "title")
        #expect(changes.count == 1)
        #expect(changes.first?.kind == .setting)
        #expect(changes.first?.oldValue == "One")
        #expect(changes.first?.newValue == "Two")
        #expect(changes.first?.context as? String == "mine")
        #expect(changes.first?.isPrior == false)
        token.invalidate()
    }

    @Test func equalValueIsTold() throws {
        var count = 0
        let token = try track.observe("title") { _, _ in count += 1 }
        try track.setValue("", forKey: "title")
        #expect(count == 1)
        token.invalidate()
    }

    @Test func onlyWhatWasAskedForIsTold() throws {
        var changes: [KeyValueChange] = []
        let token = try track.observe("title", options: []) { changes.append($1) }
        try track.setValue("Two", forKey: "title")
        #expect(changes.count == 1)
        #expect(changes.first?.oldValue == nil)
        #expect(changes.first?.newValue == nil)
        token.invalidate()
    }

    @Test func initialComesAtOnceAndPriorBefore() throws {
        var seen: [String] = []
        let token = try track.observe("title", options: [.initial, .prior, .old, .new]) {
            seen.append(
                "\($1.isPrior) \($0.title)/\($1.oldValue?.text ?? "-")/"
                    + "\($1.newValue?.text ?? "-")"
            )
        }
        try track.setValue("Two", forKey: "title")
        #expect(seen == ["false /-/", "true //-", "false Two//Two"])
        token.invalidate()
    }

    @Test func keyThatDoesNotNotifyByItselfDoesSoByHand() throws {
        var count = 0
        let token = try track.observe("plays") { _, _ in count += 1 }
        try track.setValue(7, forKey: "plays")
        #expect(count == 0)
        track.play()
        #expect(count == 1)
        #expect(track.plays == 8)
        token.invalidate()
    }

    @Test func dependentKeyFollows() throws {
        var labels: [GraphValue] = []
        let token = try track.observe("label") { labels.append($1.newValue ?? .null) }
        try track.setValue("A", forKey: "title")
        track.play()
        #expect(labels == ["A (0)", "A (1)"])
        token.invalidate()
    }

    @Test func nestedChangesAreToldTogether() throws {
        var labels: [GraphValue] = []
        let token = try track.observe("label", options: [.old, .new]) {
            labels += [$1.oldValue ?? .null, $1.newValue ?? .null]
        }
        try track.changing("title") {
            try track.setValue("A", forKey: "title")
            track.play()
        }
        #expect(labels == [" (0)", "A (1)"])
        token.invalidate()
    }

    @Test func pathFollowsTheObjectsOnIt() throws {
        let (first, second) = (Album(), Album())
        (first.name, second.name) = ("F", "S")
        track.album = first
        var names: [GraphValue] = []
        let token = try track.observe("album.name") { names.append($1.newValue ?? "?") }
        try first.setValue("G", forKey: "name")
        try track.setValue(.object(second), forKey: "album")
        try first.setValue("unheard", forKey: "name")
        try second.setValue("T", forKey: "name")
        try track.setValue(.null, forKey: "album")
        #expect(names == ["G", "S", "T", .null])
        token.invalidate()
        #expect(second.keyObservers?.isObserved("name") == false)
    }

    @Test func pathLeadsThroughMembersAndOperators() throws {
        let album = Album()
        let other = Track()
        album.tracks = [track]
        var sums: [GraphValue] = []
        let token = try album.observe("tracks.@sum.plays") { sums.append($1.newValue ?? "?") }
        track.play()
        try album.mutableArrayValue(forKey: "tracks").append(.object(other))
        other.play()
        other.play()
        #expect(sums == [1, 1, 2, 3])
        token.invalidate()
    }

    @Test func orderedMembersAreToldWithTheirPlaces() throws {
        let album = Album()
        let tracks = (0..<4).map { _ in Track() }
        var told: [String] = []
        let token = try album.observe("tracks", options: [.old, .new]) { _, change in
            let places = change.indexes.map { $0.ranges.map { "\($0)" }.joined() } ?? "-"
            told.append(
                "\(change.kind) \(places) \(change.oldValue?.elements?.count ?? -1) "
                    + "\(change.newValue?.elements?.count ?? -1)"
            )
        }
        let members = try album.mutableArrayValue(forKey: "tracks")
        try members.append(.object(tracks[0]))
        try members.insert(.object(tracks[1]), at: 0)
        try members.replace(at: 1, with: .object(tracks[2]))
        try members.move(from: 0, to: 1)
        try members.remove(at: 0)
        #expect(
            told == [
                "insertion 0..<1 -1 1", "insertion 0..<1 -1 1", "replacement 1..<2 1 1",
                "setting - 2 2", "removal 0..<1 1 -1",
            ]
        )
        token.invalidate()
    }

    @Test func placesSaidByHandAreTold() throws {
        let album = Album()
        album.tracks = [Track(), Track(), Track()]
        var changes: [KeyValueChange] = []
        let token = try album.observe("tracks", options: [.old, .prior]) { changes.append($1) }
        let places = RangeSet([0..<1, 2..<3])
        album.willChange(.removal, valuesAt: places, forKey: "tracks")
        album.tracks = [album.tracks[1]]
        album.didChange(.removal, valuesAt: places, forKey: "tracks")
        #expect(changes.map(\.isPrior) == [true, false])
        #expect(changes.allSatisfy { $0.kind == .removal && $0.indexes == places })
        #expect(changes.allSatisfy { $0.oldValue?.elements?.count == 2 })
        token.invalidate()
    }

    @Test func invalidatedOrForgottenTokenHearsNothing() throws {
        var count = 0
        let token = try track.observe("title") { _, _ in count += 1 }
        _ = try track.observe("title") { _, _ in count += 1 }
        token.invalidate()
        token.invalidate()
        try track.setValue("x", forKey: "title")
        #expect(count == 0)
    }

    @Test func observerMayEndItselfAndChangeMore() throws {
        var token: KeyValueObservation?
        var count = 0
        token = try track.observe("title") { track, _ in
            count += 1
            token?.invalidate()
            try? track.setValue("again", forKey: "title")
        }
        try track.setValue("x", forKey: "title")
        #expect(count == 1)
        #expect(track.title == "again")
    }

    @Test func unknownKeyIsRefused() {
        #expect(throws: ObjectGraphError.self) { try track.observe("nothing") { _, _ in } }
    }

    @Test func observedObjectIsNotKeptAlive() throws {
        var object: Track? = Track()
        weak let kept = object
        let token = try object?.observe("title") { _, _ in }
        object = nil
        #expect(kept == nil)
        token?.invalidate()
    }

    @Test func pathThatIsNilWhenObservedIsFollowedLater() throws {
        let album = Album()
        album.name = "F"
        var names: [GraphValue] = []
        let token = try track.observe("album.name") { names.append($1.newValue ?? "?") }
        try track.setValue(.object(album), forKey: "album")
        try album.setValue("G", forKey: "name")
        try track.setValue(.null, forKey: "album")
        try track.setValue(.object(album), forKey: "album")
        try album.setValue("H", forKey: "name")
        #expect(names == ["F", "G", .null, "G", "H"])
        token.invalidate()
    }

    @Test func operatorOverNothingHearsOfWhatJoins() throws {
        let album = Album()
        var sums: [GraphValue] = []
        let token = try album.observe("tracks.@sum.plays") { sums.append($1.newValue ?? "?") }
        try album.mutableArrayValue(forKey: "tracks").append(.object(track))
        track.play()
        #expect(sums == [0, 1])
        token.invalidate()
    }

    @Test func misspeltPathBehindNothingIsRefused() {
        for path in ["album.nmae", "album.tracks.@sum.palys", "album.tracks.@smu.plays"] {
            #expect(throws: ObjectGraphError.self, "\(path)") {
                try track.observe(path) { _, _ in }
            }
        }
        for path in ["tracks.album.nmae", "tracks.@max.palys"] {
            #expect(throws: ObjectGraphError.self, "\(path)") {
                try Album().observe(path) { _, _ in }
            }
        }
    }

    @Test func tokenThatEndsBetweenWillAndDidSilencesNobody() throws {
        var titles: [GraphValue] = []
        let token = try track.observe("title") { titles.append($1.newValue ?? "?") }
        let other = try track.observe("plays") { _, _ in }
        track.willChangeValue(forKey: "plays")
        other.invalidate()
        track.didChangeValue(forKey: "plays")
        try track.setValue("One", forKey: "title")
        #expect(titles == ["One"])
        token.invalidate()
    }

    @Test func observationThatBeginsBetweenEndsNoOtherChange() throws {
        let label = Track()
        label.willChangeValue(forKey: "plays")
        var titles: [GraphValue] = []
        let token = try label.observe("title") { titles.append($1.newValue ?? "?") }
        label.willChangeValue(forKey: "title")
        label.didChangeValue(forKey: "plays")
        #expect(titles == [])
        label.title = "One"
        label.didChangeValue(forKey: "title")
        #expect(titles == ["One"])
        token.invalidate()
    }

    @Test func endWithoutBeginningDoesNothing() throws {
        var count = 0
        let token = try track.observe("title") { _, _ in count += 1 }
        track.didChangeValue(forKey: "title")
        try track.setValue("x", forKey: "title")
        #expect(count == 1)
        token.invalidate()
    }
}

extension GraphValue {
    fileprivate var text: String {
        if case .string(let text) = self { return text }
        return "?"
    }
}
