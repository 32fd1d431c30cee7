/// A line of a menu.
public struct MenuItem: Hashable, Sendable {
    public var title: String
    /// Shown dimmed after the title.
    public var detail: String
    /// Shown at the right: a key, a count.
    public var hint: String
    /// Why the item is disabled, or nil if it is enabled; shown if it has no detail.
    public var disabledReason: String?
    /// Other words by which it is found.
    public var synonyms: [String]
    /// Shown before the title.
    public var sample: TextRun?

    public init(
        _ title: String,
        detail: String = "",
        hint: String = "",
        disabledReason: String? = nil,
        synonyms: [String] = [],
        sample: TextRun? = nil
    ) {
        (self.synonyms, self.sample) = (synonyms, sample)
        self.title = title
        self.detail = detail
        self.hint = hint
        self.disabledReason = disabledReason
    }
}

/// The effect of an event on a menu.
public enum MenuOutcome: Hashable, Sendable {
    /// The item with this index was chosen.
    case chosen(Int)
    /// A disabled item was chosen; its reason is shown.
    case disabled(Int)
    case cancelled
    /// The query or the selection changed.
    case changed
    case ignored
}

/// A list that typing filters: a palette, a choice of list or tag.
public struct Menu: Sendable {
    /// An item that matches the query.
    public struct Entry: Hashable, Sendable {
        /// The item's index.
        public let item: Int
        /// The matched characters of the title, by their index, ascending.
        public let matched: [Int]
    }

    public private(set) var items: [MenuItem]
    /// Whether the query selects the items; else whoever sets them does.
    private let filters: Bool
    public private(set) var query: TextField
    public private(set) var entries: [Entry] = []
    public internal(set) var list = ListView()
    /// Whether the last key moved the selection, so that the cursor stands on it instead of the query.
    private(set) var isMoving = false

    /// With `filters` false all items are shown in their order, and the query only marks its matches.
    public init(items: [MenuItem], placeholder: String = "", filters: Bool = true) {
        self.items = items
        self.filters = filters
        query = TextField(placeholder: placeholder)
        refilter(keeping: nil)
    }

    /// The selected item's index.
    public var selected: Int? {
        list.selection.flatMap { entries.indices.contains($0) ? entries[$0].item : nil }
    }

    /// Selects an item that matches the query.
    public mutating func select(_ item: Int) {
        list.select(entries.firstIndex { $0.item == item } ?? 0)
    }

    /// Takes over other items; keeps the query and, by index, the selection.
    public mutating func update(items: [MenuItem]) {
        let kept = selected
        self.items = items
        refilter(keeping: kept)
    }

    /// Chooses by Enter, cancels by Esc, moves by the arrows and ctrl+n, ctrl+p; other keys edit
    /// the query.
    public mutating func handle(_ event: InputEvent) -> MenuOutcome {
        if case .key(let key) = event {
            switch key {
            case .escape, .ctrl("c"), .ctrl("g"): return .cancelled
            case .enter: return choose()
            case .ctrl("n"): list.move(by: 1)
            case .ctrl("p"): list.move(by: -1)
            case .home, .end: return edit(event)
            default:
                if list.handle(key) == .ignored { return edit(event) }
            }
            isMoving = true
            return .changed
        }
        return edit(event)
    }

    /// Chooses by a click and scrolls by the wheel; `area` is the place of the rows.
    public mutating func handle(_ event: MouseEvent, in area: Rect) -> MenuOutcome {
        switch list.handle(event, in: area) {
        case .clicked, .doubleClicked: choose()
        case .moved: .changed
        case .ignored: .ignored
        }
    }

    private func choose() -> MenuOutcome {
        guard let selected else { return .ignored }
        return items[selected].disabledReason == nil ? .chosen(selected) : .disabled(selected)
    }

    private mutating func edit(_ event: InputEvent) -> MenuOutcome {
        isMoving = false
        switch query.handle(event) {
        case .changed:
            refilter(keeping: nil)
            return .changed
        case .moved: return .changed
        case .ignored: return .ignored
        }
    }

    private mutating func refilter(keeping kept: Int?) {
        let matcher = MenuMatcher(query.text)
        if !filters {
            entries = items.indices.map {
                Entry(item: $0, matched: matcher.match(items[$0].title)?.places ?? [])
            }
            return list.update(count: entries.count, selection: kept ?? 0)
        }
        let scored = items.indices.compactMap { index -> (entry: Entry, score: Int, word: Int)? in
            if let match = matcher.match(items[index].title) {
                let word = MenuMatcher.word(at: match.places.first ?? 0, in: items[index].title)
                return (Entry(item: index, matched: match.places), match.score, word)
            }
            // A synonym counts as much as its own letters do, and nothing is marked in the title.
            let scores = items[index].synonyms.compactMap { matcher.match($0)?.score }
            return scores.max().map { (Entry(item: index, matched: []), $0, .max) }
        }
        entries =
            query.isEmpty
            ? scored.map(\.entry)
            : scored.sorted {
                // As good as another one and earlier in the title is better.
                ($1.score, $0.word, $0.entry.item) < ($0.score, $1.word, $1.entry.item)
            }.map(\.entry)
        let place = kept.flatMap { kept in entries.firstIndex { $0.item == kept } }
        list.update(count: entries.count, selection: place ?? 0)
    }
}
