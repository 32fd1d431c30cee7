import Foundation

// bench PROGRAM FOLDER RESULTS SIZE…: the framework and the program at each size. Ends with 1 if a
// budget was missed, with 3 if a check failed. With - for the program, the framework alone.
let arguments = CommandLine.arguments
let sizes = arguments.dropFirst(4).compactMap { Int($0) }
guard !sizes.isEmpty, sizes.count == arguments.count - 4 else {
    print("usage: bench PROGRAM FOLDER RESULTS SIZE…")
    exit(64)
}
let folder = URL(filePath: arguments[2])
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let load = machineLoad()
let table = Table()
print(Table.head)
/// What is measured: the parts that the variable PARTS names, or all.
let parts = Set(
    (ProcessInfo.processInfo.environment["PARTS"]
        ?? "import,commands,vault,export,interface,capture,starts,shapes,objects,walks,members,results,stores")
        .split(separator: ",").map(String.init)
)
// The program first: a process that has grown starts others slowly, and lends them its size.
if arguments[1] != "-", !parts.isDisjoint(with: ProgramBenchmarks.parts) {
    for size in sizes {
        try ProgramBenchmarks(
            program: arguments[1],
            folder: folder,
            count: size,
            table: table
        ).run(parts)
    }
}
if arguments[1] != "-", parts.contains("shapes") {
    try ShapeBenchmarks(program: arguments[1], folder: folder, table: table).run()
}
for size in sizes {
    if parts.contains("objects") {
        try FrameworkBenchmarks(folder: folder, count: size, table: table).run()
    }
    if parts.contains("walks"), size <= 100_000 {
        try WalkBenchmarks(folder: folder, count: size, table: table).run()
    }
    if parts.contains("members"), size <= 100_000 {
        try MemberBenchmarks(folder: folder, count: size, table: table).run()
    }
    if parts.contains("stores") {
        try StoreBenchmarks(folder: folder, count: size, table: table).run()
    }
    if parts.contains("results") {
        try ResultsBenchmarks(folder: folder, count: size, table: table).run()
    }
}
let missed = table.results.filter { $0.isMet == false }
if !missed.isEmpty { print("\nmissed:") }
for result in missed { print("  \(result.work), \(result.size): \(result.miss)") }
try table.write(to: URL(filePath: arguments[3]), loadBefore: load)
if table.results.contains(where: \.isWrong) { exit(3) }
exit(missed.isEmpty ? 0 : 1)
