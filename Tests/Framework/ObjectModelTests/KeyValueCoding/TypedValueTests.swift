import ObjectModel
import Testing

/// Values by key as Swift types.
@Suite("Typed values by key")
struct TypedValueTests {
    private final class Song: KeyTableCoding {
        var title = "Gymnopédie"
        var seconds: Int? = 185
        var next: Song?

        static let keyTable: AnyKeyTable = KeyTable<Song> {
            $0.key("title", \.title)
            $0.key("seconds", \.seconds)
            $0.toOne("next", \.next)
        }
    }

    @Test func valueOfTheTypeComesBack() throws {
        let song = Song()
        song.next = Song()
        #expect(try song.value(forKey: "title", as: String.self) == "Gymnopédie")
        #expect(try song.value(forKeyPath: "next.seconds", as: Int.self) == 185)
    }

    @Test func noValueAndAnotherKindAreNil() throws {
        let song = Song()
        song.seconds = nil
        #expect(try song.value(forKey: "seconds", as: Int.self) == nil)
        #expect(try song.value(forKey: "title", as: Int.self) == nil)
        #expect(try song.value(forKeyPath: "next.title", as: String.self) == nil)
    }

    @Test func unknownKeyThrows() {
        #expect(throws: ObjectGraphError.self) {
            try Song().value(forKey: "composer", as: String.self)
        }
    }
}
