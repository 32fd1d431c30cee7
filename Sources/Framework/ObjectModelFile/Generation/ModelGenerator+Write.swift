import FoundationEssentials
import ObjectModel

extension ModelGenerator {
    /// What a run did, by file path.
    public struct Outcome: Hashable, Sendable {
        public var written: [String] = []
        public var unchanged: [String] = []
        public var removed: [String] = []
    }

    /// Writes the generated files and the properties in human ones, and makes the human ones that do
    /// not exist.
    ///
    /// A file whose text did not change is not touched, so nothing is compiled again for it. A
    /// generated file that the model no longer needs is removed; a human file never is.
    ///
    /// - Parameters:
    ///   - output: the folder of generated files.
    ///   - human: the folder of human files.
    /// - Returns: what was done.
    /// - Throws: `ObjectGraphError` if the model cannot be said in code, a file cannot be written, or a
    ///   human file has no place for the properties.
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
                let text = try text(of: file, over: old, at: url.path)
                if old == Data(text.utf8) {
                    outcome.unchanged.append(url.path)
                    continue
                }
                try Data(text.utf8).write(to: url, options: .atomic)
                outcome.written.append(url.path)
            }
            for path in obsoletePaths(in: output, beside: files) {
                try manager.removeItem(atPath: path)
                outcome.removed.append(path)
            }
        } catch let error as ObjectGraphError {
            throw error
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

    /// Writes all files into one, which belongs to the generator as a whole.
    ///
    /// - Parameter path: its path; the folder exists.
    /// - Returns: whether it was written; false if it has this text already.
    /// - Throws: `ObjectGraphError` if the model cannot be said in code, or the file cannot be written.
    public func write(toFile path: String) throws -> Bool {
        let text = try ModelGenerator.mark + ".\n\n" + files().map(\.text).joined(separator: "\n")
        if FileManager.default.contents(atPath: path) == Data(text.utf8) { return false }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ObjectGraphError(
                .cannotWrite,
                "\(path): the code cannot be written.",
                recovery: "Check the folder's permissions and the space left.",
                underlying: [error]
            )
        }
        return true
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
            if old != Data(try text(of: file, over: old, at: path).utf8) { stale.append(path) }
        }
        return stale + obsoletePaths(in: output, beside: files)
    }

    /// What a file is to hold: a human one keeps everything but the properties of the model.
    private func text(of file: File, over old: Data?, at path: String) throws -> String {
        guard file.isHuman, let old else { return file.text }
        let text = String(decoding: old, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.firstIndex { $0 == ModelGenerator.opening }
        let last = lines.firstIndex { $0 == ModelGenerator.closing }
        guard let first, let last, first < last else {
            if file.properties.isEmpty, first == nil, last == nil { return text }
            throw ObjectGraphError(
                .cannotWrite,
                "\(path): the class has no place for the properties of the model.",
                recovery: "Put these two lines into the class, where the properties are to stand:\n"
                    + "\(ModelGenerator.opening)\n\(ModelGenerator.closing)"
            )
        }
        var result = lines[..<first].map(String.init)
        if !file.properties.isEmpty {
            for module in modules.reversed() { ensureImport(of: module, in: &result) }
            if file.needsFoundation { ensureImport(of: "FoundationEssentials", in: &result) }
        }
        result += file.properties.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
        result += lines[(last + 1)...].map(String.init)
        return result.joined(separator: "\n")
    }

    /// Imports a module as the properties show it, before the file's first import unless it is
    /// imported already.
    private func ensureImport(of module: String, in lines: inout [String]) {
        let line = String(shownImport(module).dropLast())
        var place: Int?
        for index in lines.indices {
            let words = lines[index].split(separator: " ")
            guard words.count <= 3, words.dropLast().last == "import", let name = words.last
            else { continue }
            // Foundation brings FoundationEssentials along.
            if name == module || name == "Foundation" && module.hasPrefix(name) {
                if words.count == 2 { lines[index] = prefix + lines[index] }
                return
            }
            if place == nil, name > module { place = index }
            if name < module { place = index + 1 }
        }
        if let place {
            lines.insert(line, at: place)
        } else {
            lines.insert(contentsOf: [line, ""], at: 0)
        }
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
