import DocketFormats

/// The changes of settings in a window, so that they can be taken back.
struct SettingSteps {
    /// One change of the file.
    struct Step {
        /// What it was, for the message: `Theme: dusk`.
        let what: String
        let before: String
        let after: String
        fileprivate let changes: [SettingChange]

        init(_ what: String, _ changes: [SettingChange], before: String, after: String) {
            (self.what, self.changes, self.before, self.after) = (what, changes, before, after)
        }

        /// The file with this change taken back, or made again: as it was if nothing else has changed
        /// it since, otherwise with these settings alone.
        func text(
            of text: String,
            isBack: Bool,
            name: String
        ) throws(InputError) -> String {
            let (from, to) = isBack ? (after, before) : (before, after)
            if text == from { return to }
            let lines = ConfigFile(to).lines
            let wanted = changes.map { change in
                SettingChange(
                    change.setting,
                    lines.first {
                        $0.table == change.setting.table && $0.key == change.setting.key
                    }?.entry
                )
            }
            return try ConfigFile.text(text, changing: wanted, name: name)
        }
    }

    var done: [Step] = []
    var undone: [Step] = []
}
