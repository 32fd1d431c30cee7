import Foundation
import ObjectModel

extension ModelGenerator {
    /// What a run did, by file path.
    public struct Outcome: Hashable, Sendable {
        public var written: [String] = []
        public var unchanged: [String] = []
        public var removed: [String] = []
    }

    /// Writes the generated files, and makes the human ones that do not exist.
    ///
    /// A file whose text did not change is not touched, so nothing is compiled again for it. A
    /// generated file that the model no longer needs is removed; a human file never is.
    ///
    /// - Parameters:
    ///   - output: the folder of generated files.
    ///   - human: the folder of human files.
    /// - Returns: what was done.
    /// - Throws: `ObjectGraphError` if the model cannot be said in code or a file not be written.
    public func write(to output: String, human: String) throws -> Outcome {
        let files = try files()
        let manager = FileManager.default
        var outcome = Outcome()
        do {
            for folder in [output, human] {
                try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            for file in files {
                let folder = URL(fileURLWithPath: file.isHuman ? human : output)
                let url = folder.appending(path: file.name)
                let old = manager.contents(atPath: url.path)
                if old == Data(file.text.utf8) || (file.isHuman && old != nil) {
                    outcome.unchanged.append(url.path)
                    continue
                }
                try Data(file.text.utf8).write(to: url, options: .atomic)
                outcome.written.append(url.path)
            }
            for path in obsoletePaths(in: output, beside: files) {
                try manager.removeItem(atPath: path)
                outcome.removed.append(path)
            }
        } catch {
            throw ObjectGraphError(
                .cannotWrite,
                "\(output): the code cannot be written.",
                recovery: "Check the folder's permissions and the space left.",
                underlying: [error]
            )
        }
        return outcome
    }

    /// The files that ``write(to:human:)`` would write or remove.
    ///
    /// - Throws: `ObjectGraphError` if the model cannot be said in code.
    public func stalePaths(in output: String, human: String) throws -> [String] {
        let files = try files()
        let manager = FileManager.default
        var stale: [String] = []
        for file in files {
            let folder = URL(fileURLWithPath: file.isHuman ? human : output)
            let path = folder.appending(path: file.name).path
            let old = manager.contents(atPath: path)
            if file.isHuman ? old == nil : old != Data(file.text.utf8) { stale.append(path) }
        }
        return stale + obsoletePaths(in: output, beside: files)
    }

    /// Generated files that the model no longer needs.
    private func obsoletePaths(in output: String, beside files: [File]) -> [String] {
        let names = Set(files.map(\.name))
        let manager = FileManager.default
        let found = (try? manager.contentsOfDirectory(atPath: output)) ?? []
        return found.sorted().compactMap { name in
            guard name.hasSuffix(".swift"), !names.contains(name) else { return nil }
            let path = URL(fileURLWithPath: output).appending(path: name).path
            let mark = Data(ModelGenerator.mark.utf8)
            return manager.contents(atPath: path)?.starts(with: mark) == true ? path : nil
        }
    }
}
