/// The widths that the user has given to panes, in columns, and their file: `left 24`, a line each.
///
/// They are what was wanted: ``ScreenLayout`` limits them to what the screen has.
struct PaneWidths {
    private(set) var columns: [PanePlace: Int] = [:]
    private let file: StateFile?

    private static let longest = 1000
    private static let most = 10_000

    /// - Parameter path: the file, which is read now; `nil` keeps the widths of this window only.
    init(path: String?) {
        file = path.map(StateFile.init)
        columns = read()
    }

    subscript(place: PanePlace) -> Int? {
        get { columns[place] }
        set { columns[place] = newValue }
    }

    /// Writes one of them; those that other windows have changed meanwhile stay in the file.
    func keep(_ place: PanePlace) {
        var kept = read()
        guard kept[place] != columns[place] else { return }
        kept[place] = columns[place]
        file?.write(kept.map { "\($0.rawValue) \($1)\n" }.sorted().joined())
    }

    private func read() -> [PanePlace: Int] {
        var found: [PanePlace: Int] = [:]
        for line in file?.read(most: Self.longest)?.split(separator: "\n") ?? [] {
            let words = line.split(separator: " ")
            guard words.count == 2, let place = PanePlace(rawValue: String(words[0])),
                let width = Int(words[1]), (1...Self.most).contains(width)
            else { continue }
            found[place] = width
        }
        return found
    }
}
