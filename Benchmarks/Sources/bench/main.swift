import Foundation

// bench PROGRAM FOLDER RESULTS SIZE…: the framework and the program at each size. Ends with 1 if a
// budget was missed. With - for the program, the framework alone.
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
// The program first: a process that has grown starts others slowly, and lends them its size.
for size in sizes where arguments[1] != "-" {
    try ProgramBenchmarks(program: arguments[1], folder: folder, count: size, table: table).run()
}
/// Which parts of the framework are measured: those that the variable PARTS names, or all.
let parts = (ProcessInfo.processInfo.environment["PARTS"] ?? "objects,walks,members,results,stores")
    .split(separator: ",")
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
try table.write(to: URL(filePath: arguments[3]), loadBefore: load)
exit(table.results.contains { $0.isMet == false } ? 1 : 0)
