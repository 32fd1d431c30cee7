import CivilTime
import DocketCore
import ObjectGraph
import Phrases
import TerminalUI

/// A view of the main screen: its rows, what keys and the mouse do in it, and how it is drawn.
///
/// To add one, write a class in a folder of its own and add its kind to ``PaneTable``; nothing else
/// knows it by name. Commands of a pane are rows like all others, with the pane's key context.
protocol Pane: AnyObject {
    init(_ workspace: Workspace)

    /// The text of the pane's first row; the title line has it where a pane has no head.
    var head: String { get }
    /// Words about what is shown, for the title line: `12 open`, `by hand`.
    var status: [String] { get }

    /// Updates the rows before a frame.
    func prepare() throws
    /// Whether something was read for the pane between events.
    var hasWork: Bool { get }
    /// Takes it over; a frame follows.
    func work() throws
    /// Draws everything below the head.
    ///
    /// - Returns: the part of the rows that is on the screen, for the scroll position.
    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent

    /// What is read aloud in place of a picture, as rows; `nil` where the drawing has rows.
    var spokenRows: SpokenRows? { get }

    func move(by rows: Int)
    func page(_ windows: Int)
    func moveToEnd(first: Bool) throws
    /// Leaves one level inside the pane.
    ///
    /// - Returns: whether there was one; else the pane itself is left.
    func leaveLevel() -> Bool

    /// Why nothing can be opened now, one sentence; `nil` if something can.
    var cannotOpen: String? { get }
    /// What Enter does.
    func open() throws
    /// What the command to edit does; what Enter does, where that edits.
    func edit() throws
    /// Why the selected row cannot be folded or unfolded, one sentence; `nil` if it can.
    var cannotFold: String? { get }
    func toggleFold() throws
    /// The same for all rows.
    var cannotFoldAll: String? { get }
    func toggleAllFolds() throws
    /// Why the rows cannot be moved by hand, one sentence; `nil` where their order is the manual one.
    var cannotReorder: String? { get }
    /// Moves the selected rows down by some places, or up by a negative number; as far as there are
    /// places.
    func reorder(by places: Int) throws

    /// Selects what is at a position, as a click does, and does nothing else.
    ///
    /// - Returns: whether something is there.
    func select(at position: Position, in area: Rect) -> Bool
    /// The name of what is selected; empty where it has none.
    var selectedName: String { get }
    /// Handles the mouse; `area` is the place of what ``render(into:isFocused:)`` draws.
    func handle(_ mouse: MouseEvent, in area: Rect) throws

    /// Follows items that are dragged over the pane, or takes those that are dropped on it.
    func take(
        _ items: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws

    /// The same of an occurrence that is not there yet.
    func take(
        _ later: (task: Task, date: DueDate),
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws
}

extension Pane {
    var status: [String] { [] }
    func prepare() throws {}
    var spokenRows: SpokenRows? { nil }
    var hasWork: Bool { false }
    func work() throws {}
    func leaveLevel() -> Bool { false }
    var cannotOpen: String? { nil }
    func edit() throws { try open() }
    var cannotFold: String? { localized("There is nothing to fold here.") }
    func toggleFold() throws {}
    var cannotFoldAll: String? { cannotFold }
    func toggleAllFolds() throws {}
    var cannotReorder: String? { localized("Rows cannot be moved here.") }
    func reorder(by places: Int) throws {}
    func select(at position: Position, in area: Rect) -> Bool { true }
    var selectedName: String { "" }
    func take(
        _ items: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {}
    func take(
        _ later: (task: Task, date: DueDate),
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {}

    /// Opens a row that was clicked twice, unless it is a heading, which cannot be selected.
    func follow(_ outcome: ListOutcome, in list: ListView) throws {
        guard case .doubleClicked(list.selection) = outcome, cannotOpen == nil else { return }
        try open()
    }
}

/// Rows that are read aloud, by numbers of their own.
struct SpokenRows {
    var rows: [(number: Int, text: String)]
    /// The place of the selected one.
    var selected: Int?
    /// Selects the row of a number.
    var select: (Int) throws -> Void
}
