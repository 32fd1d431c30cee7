/// A folder of Markdown files in the settings.
public struct FolderSetting: Hashable, Sendable {
    /// What it is called in the lists pane, and after `lists/` in the shell.
    public var name: String
    /// Its place, absolute.
    public var path: String
}
