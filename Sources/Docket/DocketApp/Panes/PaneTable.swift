/// All panes; to add one, add its kind.
enum PaneTable {
    static let all: [PaneKind] = [
        ListsPane.kind, ItemsPane.kind, AgendaPane.kind, MonthPane.kind, DetailPane.kind,
        HistoryPane.kind, WaitingPane.kind, StatisticsPane.kind, FocusPane.kind,
        ReviewPane.kind,
        VaultPane.kind, FolderPane.kind, FolderTextPane.kind, InspectorPane.kind,
    ]
}
