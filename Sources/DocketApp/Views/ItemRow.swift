import ObjectGraph
import TerminalUI

/// What a row of the items pane shows; made for rows on the screen only.
struct ItemRow: Hashable {
    enum State: Hashable {
        case open
        /// Some of its subtasks are done.
        case started
        case blocked
        case done
        case note
    }

    enum Fold: Hashable {
        case folded
        case unfolded
    }

    struct Due: Hashable {
        var text: String
        /// The shortest form; empty for a date that leaves a row that is too narrow.
        var short = ""
        var role: Role
    }

    /// Where a search found the row, beyond its title.
    struct Finding: Hashable {
        var field: String
        /// The part of the field around the match.
        var excerpt: String
        var matches: [Range<Int>]
    }

    var state = State.open
    var title = ""
    /// What a search found in the title, in bytes of UTF-8.
    var titleMatches: [Range<Int>] = []
    var depth = 0
    var fold: Fold?
    var progress: String = ""
    var waitsFor: String?
    var due: Due?
    var priority = 0
    var isFlagged = false
    var tags = ""
    var list = ""
    var finding: Finding?
}

/// A row of the items pane: an item, or the heading of a group.
enum ItemsLine: Hashable {
    case item(ManagedObjectID, depth: Int)
    case heading(String, count: Int)

    var id: ManagedObjectID? {
        if case .item(let id, _) = self { return id }
        return nil
    }
}
