import ObjectModel
import Testing

/// A plain class whose members may be there twice, and that keeps count of what is removed.
private final class Shelf: KeyTableCoding, KeyValueObserving {
    var keyObservers: KeyObservers?
    var labels: [String] = []
    var colours: Set<String> = []
    private(set) var removed: [String] = []

    static let keyTable: AnyKeyTable = KeyTable<Shelf> {
        $0.key("labels", \.labels)
        $0.key("colours", \.colours)
    }

    func removeMember(_ member: GraphValue, forKey key: String) throws {
        guard case .string(let label) = member else { return }
        if key == "colours" { colours.remove(label) }
        guard key == "labels", let index = labels.firstIndex(of: label) else { return }
        removed.append(label)
        labels.remove(at: index)
    }
}

@Suite("Changes of members")
struct MemberChangeTests {
    private let shelf = Shelf()

    private func told(_ key: String, _ body: () throws -> Void) throws -> [String] {
        var told: [String] = []
        let token = try shelf.observe(key, options: [.old, .new, .prior]) { _, change in
            let places = change.indexes.map { $0.ranges.map { "\($0)" }.joined() } ?? "-"
            let old = change.oldValue?.elements?.count ?? -1
            let new = change.newValue?.elements?.count ?? -1
            told.append("\(change.isPrior ? "will " : "")\(change.kind) \(places) \(old) \(new)")
        }
        try body()
        token.invalidate()
        return told
    }

    @Test func equalMembersAreToldWithTheirPlaces() throws {
        shelf.labels = ["a", "a"]
        let members = try shelf.mutableArrayValue(forKey: "labels")
        let told = try told("labels") {
            try members.insert("a", at: 1)
            try members.append("a")
            try members.remove(at: 0)
            try members.replace(at: 1, with: "b")
        }
        #expect(
            told == [
                "will insertion 1..<2 -1 -1", "insertion 1..<2 -1 1",
                "will insertion 3..<4 -1 -1", "insertion 3..<4 -1 1",
                "will removal 0..<1 1 -1", "removal 0..<1 1 -1",
                "will replacement 1..<2 1 -1", "replacement 1..<2 1 1",
            ]
        )
        #expect(shelf.labels == ["a", "b", "a"])
    }

    @Test func changesOfEqualMembersAreToldTogether() throws {
        shelf.labels = ["a", "b"]
        let members = try shelf.mutableArrayValue(forKey: "labels")
        let told = try told("labels") {
            try shelf.changing("labels") {
                try members.append("a")
                try members.append("b")
            }
        }
        #expect(told == ["will setting - 2 -1", "setting - 2 4"])
    }

    @Test func removalOfAPlaceGoesThroughRemoveMember() throws {
        shelf.labels = ["a", "b", "a"]
        let members = try shelf.mutableArrayValue(forKey: "labels")
        try members.remove(at: 1)
        #expect(shelf.removed == ["b"])
        // The first of the equal ones is not meant.
        try members.remove(at: 1)
        #expect(shelf.labels == ["a"])
    }

    @Test func membersOfASetAreToldBeforeAndAfter() throws {
        let members = try shelf.mutableSetValue(forKey: "colours")
        let told = try told("colours") {
            try members.insert("red")
            try members.insert("red")
            try members.formUnion(["blue", "green"])
            try members.replace(with: ["blue"])
            try members.replace(with: ["pink"])
            try members.removeAll()
            try members.removeAll()
        }
        #expect(
            told == [
                "will insertion - -1 -1", "insertion - -1 1",
                "will insertion - -1 -1", "insertion - -1 2",
                "will removal - 2 -1", "removal - 2 -1",
                "will setting - 1 -1", "setting - 1 1",
                "will removal - 1 -1", "removal - 1 -1",
            ]
        )
        #expect(shelf.colours.isEmpty)
    }
}
