import FoundationEssentials

/// The identities of items that their file gives none: by list, parent and title.
struct NameIdentities {
    let format: String
    /// How often each has occurred, by the identity of the first.
    private var met: [UUID: Int] = [:]

    init(format: String) { self.format = format }

    /// The identity of the next item with these names.
    mutating func uuid(_ list: [String], _ parent: UUID?, _ title: String) -> UUID {
        let (first, next) = made(list, parent, title)
        met[first, default: 0] += 1
        return next
    }

    /// The same, for an item that may not be the next one.
    func next(_ list: [String], _ parent: UUID?, _ title: String) -> UUID {
        made(list, parent, title).next
    }

    private func made(
        _ list: [String],
        _ parent: UUID?,
        _ title: String
    ) -> (first: UUID, next: UUID) {
        let path = ListPath.string(list).lowercased()
        let name = "\(path)\n\(parent.map(UUIDText.lowercase) ?? "")\n\(title)"
        let first = UUIDText.made(from: "\(format)\n0\n\(name)")
        let count = met[first, default: 0]
        return (first, count == 0 ? first : UUIDText.made(from: "\(format)\n\(count)\n\(name)"))
    }

    /// The identity of what a file calls by a text: that text, if it is a UUID.
    func uuid(named id: String) -> UUID {
        UUIDText.parse(id) ?? UUIDText.made(from: "\(format)\nid\n\(id)")
    }
}
