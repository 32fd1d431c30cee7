package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// A store in a text file that can be read, searched and edited as text, one object a line.
///
///     # ObjectGraph text store 1
///     List|1|name=Home|pinned=4,2
///     Task|2|title=Pay the rent \| gas|done=0|list=1|tags=7,9
///     # end
///
/// A line is the entity, the reference of the object, and its properties. An attribute that is `nil`
/// is left out; `title=` is the empty text. A relationship is a list of references, in order if it is
/// ordered. Of a relationship with two sides, the file has the side that says all.
///
/// A backslash escapes `|`, `=`, `,` and itself; `\n`, `\r`, `\t` and `\xHH` are control characters.
/// Other bytes are UTF-8 as they are. A reference is a number or a text; a text that looks like a
/// number begins with a backslash. Lines that are empty or begin with `#` are skipped, and not kept;
/// but without the last one, the file counts as cut off.
///
/// The metadata are a property list in a second file, `tasks.text.plist` beside `tasks.text`. A save
/// first replaces the metadata, then the objects. The metadata name the objects that they belong to
/// by a checksum, and keep the former metadata: after a kill between the two steps, those count. When
/// somebody has edited the objects, the newest metadata count.
package final class TextStore: AtomicStore {
    package override var type: StoreType { .text }

    /// The files as they were last on the disk.
    private var onDisk: TextMetadata?

    package override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return [:] }
        let place = TextMetadata.place(for: url)
        guard let list = try StoreDataFile(place).read(mayBeAbsent: true) else {
            throw ObjectGraphError(
                .cannotOpen,
                "The metadata file \"\(place.lastPathComponent)\" is missing.",
                recovery: "Put it beside \"\(url.lastPathComponent)\" again."
            )
        }
        return try TextMetadata(list, place).chosen(for: TextMetadata.mark(of: data)).metadata
    }

    package override class func deducedModel(
        ofStoreAt url: URL
    ) throws -> ManagedObjectModel? { try deduce(from: url) }

    package override func load() throws {
        keepsNodes = false
        let url = try location
        let place = TextMetadata.place(for: url)
        let data = try contents(of: url)
        let list = try contents(of: place)
        let found = try list.map { try TextMetadata($0, place) }
        guard let data else {
            // A store whose making was interrupted, or whose objects were deleted.
            if let found, found.metadata.storeType != .text {
                throw ObjectGraphError(
                    .cannotOpen,
                    "The file \"\(place.lastPathComponent)\" belongs to something else.",
                    recovery: "Choose another name for the store."
                )
            }
            return
        }
        let chosen = found?.chosen(for: TextMetadata.mark(of: data))
        if chosen?.metadata.storeIdentifier != metadata.storeIdentifier {
            throw damaged("it was replaced while it was opened")
        }
        onDisk = chosen
        nextReferenceNumber = max(1, chosen?.nextReference ?? 1)
        try FormatProblem.naming(url) {
            var reading = TextReading(self)
            try reading.read(data)
        }
    }

    package override func save() throws {
        let url = try location
        let data = try TextWriting(self).data()
        let next = TextMetadata(
            metadata: metadata,
            mark: TextMetadata.mark(of: data),
            nextReference: nextReferenceNumber
        )
        try replaceContents(
            of: TextMetadata.place(for: url),
            with: try next.data(former: onDisk ?? former())
        )
        try replaceContents(of: url, with: data)
        onDisk = next
    }
}

extension TextStore {
    /// The metadata of the objects that are replaced without having been loaded, by a migration or a
    /// backup; `nil` if there are none.
    private func former() -> TextMetadata? {
        guard let url, let data = try? StoreDataFile(url).read(mayBeAbsent: true),
            let place = self.url.map(TextMetadata.place),
            let list = try? StoreDataFile(place).read(mayBeAbsent: true)
        else { return nil }
        return try? TextMetadata(list, place).chosen(for: TextMetadata.mark(of: data))
    }
}

/// The metadata of a text store, with what they say about its objects.
struct TextMetadata {
    private static let markKey = "OGObjects"
    private static let nextKey = "OGNextReference"
    private static let formerKey = "OGFormer"

    let metadata: StoreMetadata
    /// The checksum of the objects that the metadata belong to.
    let mark: String
    let nextReference: Int64
    private var former: [TextMetadata] = []

    init(metadata: StoreMetadata, mark: String, nextReference: Int64) {
        self.metadata = metadata
        self.mark = mark
        self.nextReference = nextReference
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile``.
    init(_ data: Data, _ url: URL) throws {
        let values = try FormatProblem.naming(url) { try PropertyListXML.values(data) }
        self.init(values)
        if case .dictionary(let values)? = values[TextMetadata.formerKey] {
            former = [TextMetadata(values)]
        }
    }

    private init(_ values: StoreMetadata) {
        let own = [TextMetadata.markKey, TextMetadata.nextKey, TextMetadata.formerKey]
        metadata = values.filter { !own.contains($0.key) }
        if case .string(let text)? = values[TextMetadata.markKey] { mark = text } else { mark = "" }
        if case .int(let number)? = values[TextMetadata.nextKey] {
            nextReference = number
        } else {
            nextReference = 1
        }
    }

    /// The metadata that belong to some objects: these, or the former ones.
    func chosen(for mark: String) -> TextMetadata {
        if mark == self.mark { return self }
        return former.first { $0.mark == mark } ?? self
    }

    func data(former: TextMetadata?) throws -> Data {
        var values = values
        if let former { values[TextMetadata.formerKey] = .dictionary(former.values) }
        return try PropertyListXML.data(values)
    }

    private var values: StoreMetadata {
        var values = metadata
        values[TextMetadata.markKey] = .string(mark)
        values[TextMetadata.nextKey] = .int(nextReference)
        return values
    }

    static func mark(of data: Data) -> String {
        let sum = data.withUnsafeBytes { Checksum.of($0) }
        return "\(data.count)-\(String(sum, radix: 16))"
    }

    static func place(for url: URL) -> URL {
        url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".plist")
    }
}
