/// The name of a pane, for the focus and the layout.
public struct PaneID: Hashable, Sendable {
    let name: String

    static let lists = PaneID(name: "lists")
    static let items = PaneID(name: "items")
    static let detail = PaneID(name: "detail")
    static let reader = PaneID(name: "reader")
    static let folder = PaneID(name: "folder")
    static let folderText = PaneID(name: "folderText")
}
