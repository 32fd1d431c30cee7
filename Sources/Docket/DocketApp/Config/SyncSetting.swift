import Phrases
import TerminalUI

/// A server to synchronize with: a table `[sync.NAME]` of the settings.
public struct SyncSetting: Hashable, Sendable {
    /// What the user calls it.
    public var name: String
    public var url = ""
    public var user = ""
    /// What the replicas of one person have in common, if it is a server of Taskwarrior 3.
    public var clientID: String?
    /// What prints the password, or the encryption secret; without it the keyring is asked.
    public var passwordCommand: String?
    /// The credential of the vault that has the password.
    public var passwordVault: String?
    /// A file of certificates that are trusted.
    public var certificates: String?

    static let keys = [
        "url", "user", "client-id", "password-command", "password-vault", "certificates",
    ]
}

extension Setting {
    /// The row of a key of `[sync.NAME]`; `nil` if there is none.
    static func sync(_ key: String, of name: String) -> Setting? {
        guard SyncSetting.keys.contains(key), !name.isEmpty else { return nil }
        @Sendable func text(_ setting: SyncSetting) -> String? {
            switch key {
            case "url": setting.url
            case "user": setting.user.isEmpty ? nil : setting.user
            case "client-id": setting.clientID
            case "certificates": setting.certificates
            case "password-vault": setting.passwordVault
            default: setting.passwordCommand
            }
        }
        return Setting(
            table: "sync.\(name)",
            key: key,
            section: .lists,
            group: localized("Servers"),
            titlePhrase: "\(key) of \(DisplayWidth.singleLine(name))",
            helpPhrase: "A server of calendars; see docket help sync.",
            kind: .text,
            example: .string("https://cal.example.org/"),
            unsetPhrase: "nothing",
            value: { settings in
                settings.syncs.last { $0.name == name }.flatMap(text).map { .string($0) }
            },
            read: { entry, settings in
                guard case .string(let text) = entry else {
                    let name = "\"\(key)\""
                    return localized("\(name) must be a text in quotes.")
                }
                let place = settings.syncs.firstIndex { $0.name == name }
                if place == nil { settings.syncs.append(SyncSetting(name: name)) }
                let index = place ?? settings.syncs.count - 1
                switch key {
                case "url": settings.syncs[index].url = text
                case "user": settings.syncs[index].user = text
                case "client-id": settings.syncs[index].clientID = text
                case "certificates": settings.syncs[index].certificates = text
                case "password-vault": settings.syncs[index].passwordVault = text
                default: settings.syncs[index].passwordCommand = text
                }
                return nil
            }
        )
    }
}
