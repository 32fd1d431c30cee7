import Foundation

// bench PROGRAM FOLDER RESULTS SIZE…: the framework at 100,000 rows, the program at each size.
let arguments = CommandLine.arguments
guard arguments.count > 4 else {
    print("usage: bench PROGRAM FOLDER RESULTS SIZE…")
    exit(64)
}
let folder = URL(filePath: arguments[2])
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let table = Table()
print("| work | items | measured | reference | ratio | budget | |")
try FrameworkBenchmarks(folder: folder, count: 100_000, table: table).run()
for size in arguments.dropFirst(4).compactMap({ Int($0) }) {
    try ProgramBenchmarks(program: arguments[1], folder: folder, count: size, table: table).run()
}
try table.write(to: URL(filePath: arguments[3]))
exit(table.results.contains { $0.isMet == false } ? 1 : 0)
