import ObjectGraph

/// A row of a folder's pane: a document, or a folder that can be unfolded.
struct FolderLine: Hashable {
    var id: ManagedObjectID
    var depth = 0
    var isFolder = false
    var isUnfolded = false
}
