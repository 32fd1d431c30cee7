import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The content of a row of the items pane; created for visible rows only.
struct ItemRow: Hashable {
    enum State: Hashable {
        case open
        case blocked
        case done
        case note
        case folder
    }

    enum Fold: Hashable {
        case folded
        case unfolded
    }

    struct Due: Hashable {
        var text: String
        /// The shortest form of the date; empty for a date that is not shown in a narrow row.
        var short = ""
        var role: Role
    }

    /// The field in which a search found the row, if it is not the title.
    struct Finding: Hashable {
        var field: String
        /// The part of the field around the match.
        var excerpt: String
        var matches: [Range<Int>]
    }

    var state = State.open
    var title = ""
    /// The matches of a search in the title, in bytes of UTF-8.
    var titleMatches: [Range<Int>] = []
    var depth = 0
    /// For each level of a drawn tree whether its line goes on below; the last one is the own level.
    var rails: [Bool] = []
    /// Whether the task is drawn with what waits for it in another row.
    var isReference = false
    var fold: Fold?
    var progress: String = ""
    /// How many occurrences have passed, in words.
    var missed = ""
    var waitsFor: String?
    var due: Due?
    var priority = 0
    var isMarked = false
    var isFlagged = false
    /// Whether an exchange with a server has not taken a value.
    var isInConflict = false
    var tags = ""
    var list = ""
    var estimate = ""
    var finding: Finding?
}

/// A row of the items pane: an item, or the heading of a group; or a row of an agenda.
enum ItemsLine: Hashable {
    case item(ManagedObjectID, depth: Int)
    case heading(String, count: Int)
    /// A task in the drawing of dependencies.
    case branch(DependencyBranch)
    /// What an agenda has on a day.
    case entry(Agenda.Entry, isOverdue: Bool)
    /// Days of an agenda without anything.
    case days(ClosedRange<Day>)
    /// What was due before the days, folded.
    case overdue

    /// The item that commands change; a later occurrence is none yet.
    var id: ManagedObjectID? {
        switch self {
        case .item(let id, _): id
        case .branch(let branch): branch.id
        case .entry(let entry, _): entry.kind == .later ? nil : entry.id
        case .heading, .days, .overdue: nil
        }
    }

    /// The item of a row of a list, with the levels above it.
    var itemAtDepth: (id: ManagedObjectID, depth: Int)? {
        switch self {
        case .item(let id, let depth): (id, depth)
        case .branch(let branch): (branch.id, branch.depth)
        case .heading, .entry, .days, .overdue: nil
        }
    }

    /// Whether it cannot be selected.
    var isHeading: Bool { if case .heading = self { true } else { false } }
}
