import FoundationEssentials

/// The identities of items that their file gives none: by list, parent and title.
struct NameIdentities {
    let format: String
    /// How often each has occurred, by the identity of the first.
    private var met: [UUID: Int] = [:]

    init(format: String) { self.format = format }

    /// An identity, and that of the first item with the same names.
    struct Name {
        var uuid: UUID
        fileprivate var first: UUID
    }

    /// The identity of the next item with these names, if it is ``take(_:)``n.
    func next(_ list: [String], _ parent: UUID?, _ title: String) -> Name {
        let path = ListPath.string(list).lowercased()
        return next("\(path)\n\(parent.map(UUIDText.lowercase) ?? "")\n\(title)")
    }

    private func next(_ name: String) -> Name {
        let first = UUIDText.made(from: "\(format)\n0\n\(name)")
        guard let count = met[first] else { return Name(uuid: first, first: first) }
        return Name(uuid: UUIDText.made(from: "\(format)\n\(count)\n\(name)"), first: first)
    }

    mutating func take(_ name: Name) { met[name.first, default: 0] += 1 }

    /// Takes the next identity.
    mutating func uuid(_ list: [String], _ parent: UUID?, _ title: String) -> UUID {
        let name = next(list, parent, title)
        take(name)
        return name.uuid
    }

    /// Takes the next identity of items with one text.
    mutating func uuid(of text: String) -> UUID {
        let name = next(text)
        take(name)
        return name.uuid
    }

    /// The identity of what a file calls by a text: that text, if it is a UUID.
    func uuid(named id: String) -> UUID {
        UUIDText.parse(id) ?? UUIDText.made(from: "\(format)\nid\n\(id)")
    }
}
