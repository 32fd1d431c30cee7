/// All panes; to add one, add its kind.
enum PaneTable {
    static let all: [PaneKind] = [
        ListsPane.kind, ItemsPane.kind, AgendaPane.kind, MonthPane.kind, DetailPane.kind,
        ReaderPane.kind, HistoryPane.kind, StatisticsPane.kind, FocusPane.kind, ReviewPane.kind,
        SettingsPane.kind,
        VaultPane.kind, FolderPane.kind, FolderTextPane.kind, InspectorPane.kind,
    ]
}
