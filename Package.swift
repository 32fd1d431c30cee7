// swift-tools-version: 6.2
import PackageDescription

/// Settings that every Swift target shares: warnings are errors, imports are explicit.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets whose folders are in one folder.
func targets(in folder: String, _ targets: [Target]) -> [Target] {
    for target in targets { target.path = "\(folder)/\(target.name)" }
    return targets
}

/// A module of ours, from top to bottom; imports point downward only.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A module of Docket, which has what every program has: the public interface of the framework.
func client(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        packageAccess: false,
        swiftSettings: strict
    )
}

/// The tests of a module, one target a module.
func tests(
    of name: String,
    _ dependencies: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "SeededRandom"] + dependencies,
        exclude: exclude,
        swiftSettings: strict
    )
}

/// The framework as its users see it: the umbrella and what it shows.
///
/// A build recompiles a target when a module that the target declares has changed. The umbrella
/// stays the same when what is behind it changes, so to declare it alone would keep old layouts.
let framework: [Target.Dependency] = [
    "ObjectGraph", "ObjectMigration", "ObjectContext", "ObjectStore", "ObjectModel",
]

/// What only the programs need: a package that wants the framework alone does without.
let arguments = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["Programs"])
)

/// The files of the manual, which `docket help` prints.
let manualTopics = [
    "getting-started", "coming-from", "cookbook", "keys", "subtasks", "marks", "search", "lists",
    "notes", "repeating", "reminders", "sync", "statistics", "formats", "hooks", "vault", "team",
    "backups",
    "inspect", "folders", "config", "files", "exit-codes",
]

/// Docket: the program and what it is made of, from top to bottom.
let docketTargets = targets(
    in: "Sources/Docket",
    [
        // The program
        .executableTarget(
            name: "docket",
            dependencies: framework + [
                "DocketApp", "DocketCore", "DocketFormats", "MarkdownFolder", "NcursesTerminal",
                "TerminalUI", "PostgreSQLStore", "ObjectSync",
                "FileEvents", "CFiles",
                "StoreExploring", "StoreBrowser", "ObjectGraphEncryption", "Encryption",
                "CivilTime", "Phrases", "Recurrence", "TimeLanguage", "SearchLanguage",
                "CZeroingHeap", "CVersion", arguments,
            ],
            resources: [.embedInCode("../../../Resources/items.schema.json")]
                + manualTopics.map { .embedInCode("../../../docs/manual/\($0).md") },
            packageAccess: false,
            swiftSettings: strict
        ),
        client(
            "DocketApp",
            framework + [
                "TerminalUI", "DocketCore", "DocketFormats", "CivilTime", "Phrases",
                "SearchLanguage", "TextSearch", "Markdown", "CPictures",
                "ObjectGraphEncryption", "Encryption", "MarkdownFolder", "StoreBrowser",
                "StoreExploring", "TimeLanguage", "Recurrence", "ObjectSync",
            ]
        ),
        .target(
            name: "DocketCore",
            dependencies: framework + [
                "DocketFormats", "CivilTime", "Phrases", "SearchLanguage", "ObjectGraphEncryption",
                "Encryption", "Recurrence", "TimeLanguage", "CZeroingHeap", "Markdown",
                "ObjectSync",
            ],
            resources: [
                .embedInCode("../../../Resources/Seeds/categories.csv"),
                .embedInCode("../../../Resources/Seeds/welcome-notes.json"),
                .embedInCode("../../../Resources/Seeds/welcome-tasks.json"),
            ],
            packageAccess: false,
            swiftSettings: strict
        ),
        client(
            "DocketFormats",
            framework + [
                "Encryption", "XMLReading", "TimeLanguage", "Recurrence", "CivilTime", "Phrases",
            ]
        ),
        // What speaks to servers: docket itself loads no libcurl
        .executableTarget(
            name: "docket-sync",
            dependencies: framework + [
                "DocketSync", "TaskChampion", "ObjectSync", "DocketCore", "DocketFormats",
                "CivilTime", "CCurl",
                "Encryption", "Phrases", "SearchLanguage", "Recurrence", "TimeLanguage",
                arguments,
            ],
            packageAccess: false,
            swiftSettings: strict
        ),
        // Records of items for servers, and the protocol of calendars
        client(
            "DocketSync",
            framework + [
                "TaskChampion", "ObjectSync", "DocketCore", "DocketFormats", "XMLReading",
                "CivilTime", "Encryption", "Phrases", "SearchLanguage", "Recurrence",
                "TimeLanguage",
            ]
        ),
        // The protocol of Taskwarrior 3
        client(
            "TaskChampion",
            [
                "DocketFormats", "Encryption", "TimeLanguage", "Recurrence", "CivilTime", "Phrases",
                "CDeflate",
            ]
        ),
        client("TimeLanguage", ["Recurrence", "CivilTime", "Phrases"]),
        client("CivilTime"),
        // Texts of the interface in its languages
        .target(
            name: "Phrases",
            dependencies: ["CivilTime"],
            resources: [.embedInCode("../../../Resources/Languages/de.po")],
            packageAccess: false,
            swiftSettings: strict
        ),
        client("Recurrence", ["CivilTime"]),
        client("SearchLanguage", ["ObjectModel"]),
        client("Markdown", ["CMarkdown"]),
        .target(
            name: "NcursesTerminal",
            dependencies: ["TerminalUI", "CTerminal", "FileEvents"],
            resources: [.embedInCode("../../../Resources/Terminals/xterm-256color.terminfo")],
            packageAccess: false,
            swiftSettings: strict
        ),
        client("TerminalUI"),
        // Looking at any store
        client(
            "StoreBrowser",
            ["StoreExploring", "TerminalUI", "Phrases", "CivilTime", "ObjectStore", "ObjectModel"]
        ),
        // A store of a class of its own: a folder of Markdown files
        client("MarkdownFolder", framework + ["FileEvents", "CFiles", "Markdown"]),
    ]
)

/// ObjectGraph: the framework, its tool, and programs from the literature.
let frameworkTargets = targets(
    in: "Sources/Framework",
    [
        module(
            "StoreExploring",
            framework + ["SQLiteStore", "FileStores", "CompiledModel", "ObjectModelFile"]
        ),
        // The framework
        module(
            "ObjectGraph",
            [
                "ObjectMigration", "ObjectContext", "ObjectStore", "ObjectModel", "SQLiteStore",
                "FileStores", "TextSearch", "FileEvents", "CFiles",
            ]
        ),
        module("ObjectMigration", ["SQLiteStore", "ObjectContext", "ObjectStore", "ObjectModel"]),
        module("ObjectGraphFoundation", ["ObjectContext", "ObjectStore", "ObjectModel"]),
        module("ObjectSync", ["ObjectContext", "ObjectStore", "ObjectModel"]),
        module(
            "ObjectGraphEncryption",
            ["Encryption", "ObjectContext", "ObjectStore", "ObjectModel"]
        ),
        module("Encryption", ["CSodium"]),
        module("TextSearch", ["ObjectModel", "CText"]),
        module("FileStores", ["ObjectStore", "ObjectModel", "XMLReading"]),
        module(
            "SQLiteStore",
            ["CompiledModel", "ObjectStore", "ObjectModel", "CFiles", "CSQLite", "CText"]
        ),
        // A product of its own: programs that do not import it neither build it nor load libpq
        module("PostgreSQLStore", framework + ["CPostgreSQL"]),
        module("ObjectContext", ["ObjectStore", "ObjectModel", "FileEvents", "CObjects"]),
        module("ObjectStore", ["ObjectModel", "CFiles", "CDeflate", "CText"]),
        module("ObjectModel", ["CText"]),
        module("CompiledModel", ["ObjectModel", "CDeflate"]),
        module("FileEvents"),
        module("XMLReading", ["CExpat"]),
        // The model's files and their tool
        .executableTarget(
            name: "modelgen",
            dependencies: ["ObjectModelFile", "ObjectModel", arguments],
            swiftSettings: strict
        ),
        // For builds of other packages
        .plugin(name: "GenerateModel", capability: .buildTool(), dependencies: ["modelgen"]),
        module("ObjectModelFile", ["ObjectModel", "XMLReading"]),
        // Programs from the literature, on what is public alone
        .executableTarget(
            name: "examples",
            dependencies: framework + ["ObjectGraphEncryption", "Encryption", "CZlib", arguments],
            packageAccess: false,
            swiftSettings: strict
        ),
    ]
)

/// Programs start sooner with SQLite inside; tests replace its requests for memory, which needs the
/// shared one.
let sqlite: [LinkerSetting] = [
    .linkedLibrary("sqlite3", .when(configuration: .debug)),
    .linkedLibrary(":libsqlite3.a", .when(configuration: .release)),
]

/// What is written in C, and the libraries of the system.
let cTargets = targets(
    in: "Sources/C",
    [
        .target(
            name: "CTerminal",
            linkerSettings: [.linkedLibrary(":libncursesw.a"), .linkedLibrary(":libtinfo.a")]
        ),
        .target(name: "CZeroingHeap"),
        .target(name: "CSodium", linkerSettings: [.linkedLibrary(":libsodium.a")]),
        .target(name: "CDeflate", linkerSettings: [.linkedLibrary(":libz.a")]),
        .target(
            name: "CMarkdown",
            linkerSettings: [
                .linkedLibrary(":libcmark-gfm-extensions.a"), .linkedLibrary(":libcmark-gfm.a"),
            ]
        ),
        .target(
            name: "CPictures",
            dependencies: ["CDeflate"],
            linkerSettings: [.linkedLibrary(":libpng16.a"), .linkedLibrary(":libjpeg.a")]
        ),
        .target(name: "CText"),
        .target(name: "CFiles"),
        .target(name: "CObjects"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CPostgreSQL", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CExpat", linkerSettings: [.linkedLibrary(":libexpat.a")]),
        .target(
            name: "CSQLite",
            dependencies: ["CText"],
            linkerSettings: sqlite
        ),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CVersion"),
    ]
)

/// The tests of Docket.
let docketTests = targets(
    in: "Tests/Docket",
    [
        .executableTarget(
            name: "terminal-demo",
            dependencies: ["TerminalUI", "NcursesTerminal"],
            swiftSettings: strict
        ),
        tests(of: "CivilTime", ["ChildProcess", "FixedTime"]),
        tests(
            of: "Recurrence",
            ["CivilTime", "RandomRules", "FixedTime", "CaseFiles", "ObjectModel", "ChildProcess"]
        ),
        tests(
            of: "TimeLanguage",
            ["Recurrence", "CivilTime", "RandomRules", "CaseFiles", "ObjectModel", "FixedTime"],
            exclude: ["Expected"]
        ),
        tests(of: "TerminalUI", ["ScreenReading"]),
        tests(of: "NcursesTerminal", ["TerminalUI", "VirtualTerminal", "terminal-demo"]),
        tests(of: "SearchLanguage", ["ObjectModel"]),
        tests(of: "Markdown"),
        tests(
            of: "MarkdownFolder",
            framework + ["ChildProcess", "CaseFiles"],
            exclude: ["Expected"]
        ),
        tests(of: "ParserEntries"),
        tests(
            of: "StoreBrowser",
            framework + [
                "StoreExploring", "TerminalUI", "ScreenReading", "VirtualTerminal", "docket",
            ]
        ),
        tests(
            of: "DocketFormats",
            framework + [
                "Encryption", "XMLReading", "TimeLanguage", "Recurrence", "CivilTime", "FixedTime",
                "ChildProcess", "Phrases",
            ]
        ),
        tests(
            of: "TaskChampion",
            framework + [
                "DocketSync", "ObjectSync", "DocketCore", "SearchLanguage", "XMLReading",
                "DocketFormats", "Encryption", "TimeLanguage", "Recurrence", "CivilTime", "Phrases",
                "FixedTime", "ChildProcess", "docket-sync",
            ],
            exclude: ["client.py", "server.py"]
        ),
        tests(
            of: "DocketSync",
            framework + [
                "TaskChampion", "ObjectSync", "DocketCore", "DocketFormats", "CivilTime",
                "ChildProcess",
                "Encryption", "Phrases", "SearchLanguage", "Recurrence", "TimeLanguage",
                "docket-sync", "docket", "VirtualTerminal", "SyncSimulation", "LibraryVerbs",
            ]
        ),
        tests(
            of: "DocketCore",
            framework + [
                "DocketFormats",
                "RandomRules", "Recurrence", "CivilTime", "SearchLanguage", "FixedTime",
                "SQLiteStore",
                "ChildProcess",
                "LibraryVerbs", "ObjectGraphEncryption", "Encryption", "XMLReading", "TimeLanguage",
                "ObjectModelFile", "Phrases", "ObjectSync",
            ]
        ),
        tests(
            of: "DocketApp",
            framework + [
                "DocketCore", "DocketFormats", "Recurrence", "TimeLanguage", "CivilTime",
                "SearchLanguage", "Phrases",
                "TextSearch",
                "Markdown", "MarkdownFolder",
                "TerminalUI", "ChildProcess", "LibraryVerbs", "ObjectSync",
                "ScreenReading", "VirtualTerminal", "Encryption", "docket",
                "PostgreSQLStore", "PostgreSQLAtHand",
            ]
        ),
        .testTarget(
            name: "DocketTests",
            dependencies: framework + [
                "docket", "examples", "CSQLite", "ChildProcess", "SeededRandom", "VirtualTerminal",
                "LibraryVerbs", "DocketCore", "DocketFormats", "SearchLanguage", "TimeLanguage",
                "CivilTime", "Recurrence", "Encryption", "ObjectGraphEncryption",
                "ScreenReading", "TerminalUI", "Phrases", "PostgreSQLAtHand", "ObjectSync",
            ],
            exclude: ["Expected"],
            swiftSettings: strict
        ),
    ]
)

/// The tests of the framework, and programs that they run.
let frameworkTests = targets(
    in: "Tests/Framework",
    [
        // Tests
        .executableTarget(
            name: "lifetimes",
            dependencies: framework,
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "workload",
            dependencies: framework,
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "simulation",
            dependencies: [
                "SyncSimulation", "CSimulation", "CFaultyDisk", "SeededRandom", "ObjectSync",
                "ObjectContext", "ObjectStore", "ObjectModel",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "heap-probe",
            dependencies: framework + ["ObjectGraphEncryption", "Encryption", "CZeroingHeap"],
            swiftSettings: strict
        ),
        tests(of: "ObjectModel", ["CaseFiles"]),
        tests(
            of: "ObjectModelFile",
            framework + ["SQLiteStore", "CaseFiles", "ChildProcess", "modelgen"]
        ),
        tests(of: "Encryption", ["ChildProcess"]),
        tests(
            of: "ObjectGraphEncryption",
            framework + ["Encryption", "ChildProcess", "heap-probe"]
        ),
        tests(of: "ObjectSync", framework + ["SQLiteStore", "SyncSimulation"]),
        tests(of: "TextSearch", ["ObjectModel"]),
        tests(
            of: "ObjectContext",
            [
                "ObjectGraph", "ObjectGraphFoundation", "ObjectMigration", "ObjectStore",
                "ObjectModel", "SQLiteStore", "CSQLite", "CaseFiles", "CompilerAtHand",
            ]
        ),
        tests(
            of: "ObjectGraph",
            ["ObjectMigration", "ObjectContext", "ObjectStore", "ObjectModel", "CSQLite"]
        ),
        tests(of: "FileStores", framework + ["ChildProcess"]),
        tests(of: "XMLReading"),
        tests(
            of: "CompiledModel",
            ["ObjectModel", "ObjectModelFile", "CompiledModelMaking", "CaseFiles"]
        ),
        tests(
            of: "SQLiteStore",
            [
                "ObjectContext", "ObjectStore", "ObjectModel", "FileStores", "CSQLite",
                "CFaultyDisk", "CaseFiles", "PostgreSQLStore", "PostgreSQLAtHand", "ObjectGraph",
                "ObjectMigration",
            ]
        ),
        tests(
            of: "PostgreSQLStore",
            framework + ["PostgreSQLAtHand"]
        ),
        tests(
            of: "ObjectMigration",
            [
                "ObjectGraph", "ObjectContext", "ObjectStore", "ObjectModel", "ObjectModelFile",
                "SQLiteStore", "CSQLite", "CFaultyDisk", "CaseFiles",
            ]
        ),
        tests(
            of: "StoreExploring",
            framework + [
                "SQLiteStore", "CompiledModel", "CompiledModelMaking", "CSQLite", "CaseFiles",
                "ChildProcess",
            ]
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: framework + [
                "examples", "modelgen", "ChildProcess", "SeededRandom", "VirtualTerminal",
            ],
            exclude: ["Expected"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: framework + [
                "ObjectGraphEncryption", "Encryption", "CompilerAtHand", "modelgen",
            ],
            swiftSettings: strict
        ),
    ]
)

/// What tests share.
let testSupport = targets(
    in: "Tests/Support",
    [
        .target(
            name: "CVirtualTerminal",
            linkerSettings: [.linkedLibrary("vterm"), .linkedLibrary("util")]
        ),
        .target(name: "SeededRandom", swiftSettings: strict),
        .target(
            name: "SyncSimulation",
            dependencies: framework + ["ObjectSync", "SeededRandom"],
            swiftSettings: strict
        ),
        .target(name: "CSimulation"),
        .target(
            name: "FixedTime",
            dependencies: ["CivilTime"],
            swiftSettings: strict
        ),
        .target(
            name: "RandomRules",
            dependencies: ["Recurrence", "CivilTime", "SeededRandom"],
            swiftSettings: strict
        ),
        .target(
            name: "CaseFiles",
            dependencies: ["ObjectModel"],
            swiftSettings: strict
        ),
        .target(
            name: "CompiledModelMaking",
            dependencies: ["ObjectModel", "CZlib"],
            swiftSettings: strict
        ),
        .target(name: "CChildProcess"),
        .target(
            name: "ChildProcess",
            dependencies: ["CChildProcess"],
            swiftSettings: strict
        ),
        .target(
            name: "CompilerAtHand",
            dependencies: ["ChildProcess"],
            swiftSettings: strict
        ),
        .target(
            name: "PostgreSQLAtHand",
            dependencies: ["CPostgreSQL", "ChildProcess"],
            swiftSettings: strict
        ),
        .target(
            name: "VirtualTerminal",
            dependencies: ["CVirtualTerminal", "ChildProcess"],
            swiftSettings: strict
        ),
        .target(
            name: "ScreenReading",
            dependencies: ["TerminalUI"],
            swiftSettings: strict
        ),
        .target(
            name: "LibraryVerbs",
            dependencies: framework + [
                "DocketCore", "DocketFormats", "CivilTime", "Recurrence", "TimeLanguage",
                "SearchLanguage", "ObjectSync",
                "Encryption", "Phrases",
                "SeededRandom",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ParserEntries",
            dependencies: framework + [
                "DocketApp", "DocketCore", "DocketFormats", "CivilTime", "Recurrence",
                "SearchLanguage", "Markdown", "Phrases",
                "TerminalUI", "CPictures", "Encryption", "StoreExploring", "TimeLanguage",
                "SQLiteStore", "CompiledModel", "CompiledModelMaking", "ObjectModelFile", "CSQLite",
                "ObjectSync",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CFaultyDisk",
            linkerSettings: sqlite
        ),
    ]
)

let package = Package(
    name: "docket",
    products: [
        .executable(name: "docket", targets: ["docket"]),
        .executable(name: "docket-sync", targets: ["docket-sync"]),
        .executable(name: "modelgen", targets: ["modelgen"]),
        .executable(name: "examples", targets: ["examples"]),
        .plugin(name: "GenerateModel", targets: ["GenerateModel"]),
        .library(name: "ObjectGraphFoundation", targets: ["ObjectGraphFoundation"]),
        .library(
            name: "ObjectGraphEncryption",
            targets: ["ObjectGraphEncryption", "Encryption"]
        ),
        .library(name: "PostgreSQLStore", targets: ["PostgreSQLStore"]),
        .library(name: "ObjectSync", targets: ["ObjectSync"]),
        .library(name: "TextSearch", targets: ["TextSearch"]),
        .library(name: "StoreExploring", targets: ["StoreExploring"]),
        .library(name: "FileEvents", targets: ["FileEvents"]),
        .library(name: "XMLReading", targets: ["XMLReading"]),
        .library(
            name: "ObjectGraph",
            targets: [
                "ObjectGraph", "ObjectMigration", "ObjectContext", "ObjectStore", "ObjectModel",
            ]
        ),
        // For the package in Fuzz alone
        .library(name: "ParserEntries", targets: ["ParserEntries"]),
    ],
    traits: [
        .trait(name: "Programs", description: "docket, modelgen and the examples"),
        .default(enabledTraits: ["Programs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: docketTargets + frameworkTargets + cTargets + docketTests + frameworkTests
        + testSupport,
    swiftLanguageModes: [.v6]
)

// A test target that is left out costs no time: `ONLY_TESTS=ObjectContextTests swift build --build-tests`.
if let only = Context.environment["ONLY_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

// The tool of a plugin is compiled a second time, for the build itself; `make` leaves it out.
if !Set(Context.environment.keys).isDisjoint(with: ["NO_PLUGINS", "ONLY_TESTS"]) {
    package.targets.removeAll { $0.type == .plugin }
    package.products.removeAll { $0.name == "GenerateModel" }
}
