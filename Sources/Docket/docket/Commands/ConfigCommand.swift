import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import NcursesTerminal
import TerminalUI

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings that count, or change one.",
        subcommands: [
            ConfigShowCommand.self, ConfigGetCommand.self, ConfigSetCommand.self,
            ConfigResetCommand.self, ConfigEditCommand.self, ConfigCheckCommand.self,
            ConfigPathCommand.self,
        ],
        defaultSubcommand: ConfigShowCommand.self
    )

    /// The user's file.
    static var file: SettingsFile { SettingsFile(environment: ProcessInfo.environment) }

    /// Reports what is wrong in the file, and ends with exit code 1 if something is.
    static func report(_ settings: Settings) throws {
        guard settings.problems.isEmpty else {
            for problem in settings.problems { Console.warn(problem) }
            throw ExitCode(Exit.notDone)
        }
    }

    /// Changes some settings, and says the lines that were written.
    static func change(_ changes: [SettingChange], said: (SettingChange) -> String) throws {
        let file = file
        try file.change(changes)
        Exit.noteWritten()
        for change in changes {
            try Console.print("\(Console.shown(said(change))) in \(Console.shown(file.path))")
        }
    }
}

struct ConfigShowCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings that count, and what is wrong in config.toml.",
        discussion: """
            Prints every setting as config.toml writes it, after the path of that file. Lines that \
            cannot be used are reported on stderr, with exit code 1; the settings they name keep their \
            defaults. 'docket help config' says what each setting means.
            """
    )

    @Argument(help: .hidden) var words: [String] = []

    func validate() throws {
        if words.isEmpty { return }
        throw ValidationError(
            "docket config shows the settings; docket config set theme dark changes one."
        )
    }

    func perform() throws {
        let settings = Settings(environment: ProcessInfo.environment)
        try Console.print("# \(Console.shown(ConfigCommand.file.path))")
        try Console.write(Array(settings.text.utf8))
        try ConfigCommand.report(settings)
    }
}

struct ConfigGetCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a setting, or of all.",
        discussion: """
            A text is printed without quotes, several with commas between. A setting without a value \
            prints nothing, with exit code 1. Without a name all settings are printed, with --json as \
            one object by their names, in which null is a setting without a value.
            """
    )

    @Argument(
        help: "The setting, such as theme or keys.item.done.",
        completion: ShellCompletion.settings
    )
    var name: String?
    @Flag(help: "As JSON.") var json = false

    func perform() throws {
        let settings = Settings(environment: ProcessInfo.environment)
        let keyMap = try settings.keyMap()
        guard let name else {
            if json {
                let members = Setting.all(settings).map { setting in
                    JSONMember(setting.name, settings.value(of: setting, keyMap).json)
                }
                try Console.print(JSONValue.object(members))
            } else {
                try Console.write(Array(settings.text.utf8))
            }
            return try ConfigCommand.report(settings)
        }
        let setting = try Setting.require(name)
        let value = settings.value(of: setting, keyMap)
        if json { return try Console.print(value.json) }
        guard let value else {
            Console.warn("\(name) has no value.")
            throw ExitCode(Exit.notDone)
        }
        try Console.print(value.plain)
    }
}

struct ConfigSetCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write one setting into config.toml.",
        discussion: """
            Names are those that docket config prints; one in a table has the table before it: \
            docket config set theme dark, docket config set history.steps 500, docket config set \
            keys.item.done x. Everything else in the file stays, comments too. An open interface \
            takes it over when its settings are shown, others at their next start.
            """
    )

    @Argument(
        help: "The setting, such as theme or history.steps.",
        completion: ShellCompletion.settings
    )
    var name: String
    @Argument(
        help: "Its value; quotes of texts may be left out.",
        completion: ShellCompletion.settingValues
    )
    var value: String

    func perform() throws {
        try ConfigCommand.change([SettingChange(name, typed: value)], said: \.line)
    }
}

struct ConfigResetCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Take settings out of config.toml, so that their defaults count.",
        discussion: "Comments stay. A setting that is not in the file stays as it is."
    )

    @Argument(help: "The settings.", completion: ShellCompletion.settings)
    var names: [String]

    func perform() throws {
        let changes = try names.map { SettingChange(try Setting.require($0), nil) }
        try ConfigCommand.change(changes) { "\($0.setting.name) has its default" }
    }
}

struct ConfigEditCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Open config.toml in the editor, then check it.",
        discussion: """
            The editor is $VISUAL, else $EDITOR, else vi. A file that does not exist begins with all \
            settings as comments. What is wrong afterwards is printed as docket config check does.
            """
    )

    func perform() throws {
        let file = ConfigCommand.file
        let sample = Setting.sample(isComment: true)
        let isNew = try file.text().isEmpty
        if isNew { try file.replace(by: sample) }
        let words = Interface.editor(ProcessInfo.environment) + [file.path]
        let status: Int32
        do {
            status = try ForegroundProgram.run(words)
        } catch {
            throw InputError(.malformed, "\(error)")
        }
        // What nobody has edited is no file of the user.
        if isNew, try file.text() == sample { unlink(file.path) }
        guard status == 0 else {
            let reason = "The editor ended with \(status); \(file.path) was not checked."
            throw InputError(.malformed, "\(reason)")
        }
        Exit.noteWritten()
        try ConfigCheckCommand.check()
    }
}

struct ConfigCheckCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check config.toml, and name line and column of what is wrong.",
        discussion: """
            Prints PATH:LINE:COLUMN: and a sentence for each problem, with exit code 1 if there is \
            one.
            """
    )

    func perform() throws { try ConfigCheckCommand.check() }

    static func check() throws {
        let path = ConfigCommand.file.path
        let places = Settings(environment: ProcessInfo.environment).wrongPlaces
        if places.isEmpty {
            return try Console.print("\(Console.shown(path)): nothing is wrong.")
        }
        for place in places {
            let number = place.line == 0 ? "" : "\(place.line):\(place.column):"
            try Console.print("\(Console.shown(path)):\(number) \(place.message)")
        }
        throw ExitCode(Exit.notDone)
    }
}

struct ConfigPathCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of config.toml, whether it exists or not."
    )

    func perform() throws { try Console.print(Console.shown(ConfigCommand.file.path)) }
}

extension ConfigFile.Entry? {
    /// As scripts read it.
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text)?: .string(text)
        case .integer(let number)?: .number("\(number)")
        case .boolean(let flag)?: .bool(flag)
        case .strings(let texts)?: .array(texts.map { .string($0) })
        case nil: .null
        }
    }
}
