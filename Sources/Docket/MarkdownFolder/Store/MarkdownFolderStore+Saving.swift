import FoundationEssentials
import ObjectGraph

// A save writes the new texts beside their files first, then exchanges each with its file, and
// exchanges those back that are done if one fails. Titles and tags go into the front matter; nothing
// else of a file changes.
extension MarkdownFolderStore {
    func save(_ request: StoreSaveRequest) throws {
        guard request.inserted.isEmpty, request.deleted.isEmpty else {
            throw refusal("Files are not made or deleted here.")
        }
        var texts: [(path: EntryPath, text: [UInt8])] = []
        var conflicts: [ManagedObjectID] = []
        for object in request.updated {
            guard object.objectID.entityName == Kind.document.rawValue,
                let path = path(object.objectID),
                object.changedKeys.allSatisfy({ ["title", "tags"].contains($0) })
            else { throw refusal("Only titles and tags of documents can be changed.") }
            let (status, bytes) = try whole(path)
            if let read = request.versions[object.objectID], read != status.version {
                conflicts.append(object.objectID)
                continue
            }
            texts.append((path, try changed(bytes, object, path)))
        }
        if !conflicts.isEmpty {
            throw ObjectGraphError(
                .mergeConflict,
                "\(conflicts.count) documents have changed meanwhile.",
                objectIDs: conflicts
            )
        }
        do throws(FolderDisk.Failure) {
            try disk.replace(texts)
        } catch {
            throw error.described("A changed document", isWritten: true)
        }
    }

    private func whole(_ path: EntryPath) throws -> (FolderDisk.Status, [UInt8]) {
        let content = try DocumentReading.text(path, on: disk)
        if let problem = content?.problem { throw ObjectGraphError(.cannotWrite, problem) }
        do throws(FolderDisk.Failure) {
            return try disk.beginning(of: path, limit: DocumentReading.largest + 1)
        } catch {
            throw error.described("The file \"\(path.name)\"")
        }
    }

    private func changed(
        _ bytes: [UInt8],
        _ object: StoreObject,
        _ path: EntryPath
    ) throws -> [UInt8] {
        var bytes = bytes
        do throws(YAMLProblem) {
            for key in object.changedKeys.sorted() {
                guard case .string(let text)? = try? object.value(forKey: key) else { continue }
                let value: FrontMatter.Value? =
                    if key == "title" {
                        text.isEmpty ? nil : .text(text)
                    } else {
                        .list(text.split(separator: " ").map(String.init))
                    }
                bytes = try FrontMatter.setting(key, to: value, in: bytes)
            }
        } catch {
            throw ObjectGraphError(
                .cannotWrite,
                "The front matter of \"\(path.name)\" is not changed: line \(error.line):"
                    + " \(error.message).",
                recovery: "Change it with an editor."
            )
        }
        return bytes
    }

    private func refusal(_ recovery: String) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The folder \"\(url?.lastPathComponent ?? "")\" does not save this.",
            recovery: recovery + " Change its files with an editor; the changes are shown at once."
        )
    }
}
