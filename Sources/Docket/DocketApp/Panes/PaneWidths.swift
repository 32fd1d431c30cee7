/// The widths that the user has given to panes, in columns, and their file: `left 24`, a line each.
///
/// They are what was wanted: ``ScreenLayout`` limits them to what the screen has.
struct PaneWidths {
    private(set) var columns: [String: Int] = [:]
    private let file: StateFile?

    private static let longest = 1000
    private static let most = 10_000

    /// - Parameter path: the file, which is read now; `nil` keeps the widths of this window only.
    init(path: String?) {
        file = path.map(StateFile.init)
        columns = read()
    }

    subscript(name: String) -> Int? {
        get { columns[name] }
        set { columns[name] = newValue }
    }

    /// Writes one of them; those that other windows have changed meanwhile stay in the file.
    func keep(_ name: String) {
        var kept = read()
        guard kept[name] != columns[name] else { return }
        kept[name] = columns[name]
        file?.write(kept.map { "\($0) \($1)\n" }.sorted().joined())
    }

    private func read() -> [String: Int] {
        var found: [String: Int] = [:]
        for line in file?.read(most: Self.longest)?.split(separator: "\n") ?? [] {
            let words = line.split(separator: " ")
            guard words.count == 2, let width = Int(words[1]), (1...Self.most).contains(width)
            else { continue }
            found[String(words[0])] = width
        }
        return found
    }
}
