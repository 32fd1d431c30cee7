/// A folder of Markdown files in the settings.
package struct FolderSetting: Hashable, Sendable {
    /// What it is called in the lists pane, and after `lists/` in the shell.
    package var name: String
    /// Its place, absolute.
    package var path: String
}
