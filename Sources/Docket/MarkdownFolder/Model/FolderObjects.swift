public import FoundationEssentials
public import ObjectGraph

/// A document or a folder below the root of a folder of Markdown files.
public class FolderEntry: ManagedObject {
    /// The name of the file or the folder.
    @Managed public var name: String
    /// The names from the root on, with slashes between; empty for the root.
    @Managed public var path: String
    /// Whether it is a folder, so that folders can be sorted before documents.
    @Managed public var isFolder: Bool
    /// When it was changed last.
    @Managed public var modified: Date?
    /// The folder that it is in; `nil` for the root.
    @Managed(inverse: \Folder.children) public var parent: Folder?

    override public class var entityOptions: EntityOptions {
        EntityOptions(of: FolderEntry.self, abstract: true)
    }
}

/// A folder.
public final class Folder: FolderEntry {
    /// What is in it; the first access reads the folder's list.
    @Managed public var children: Set<FolderEntry>
}

/// A Markdown file: what its beginning says.
///
/// The text is an object of its own, so that a list of documents reads no text.
public final class Document: FolderEntry {
    /// The title in the front matter, else the first heading, else the name without its ending.
    @Managed public var title: String
    /// The tags with blanks between.
    @Managed public var tags: String
    /// Why title and tags of the front matter are not read, one sentence; `nil` if they are.
    @Managed public var frontMatterProblem: String?
    /// In bytes.
    @Managed public var size: Int64
    /// The text; it is read when a property of this object is.
    @Managed(inverse: \DocumentText.document) public var content: DocumentText?

    /// The tags one by one.
    public var tagList: [String] { tags.split(separator: " ").map(String.init) }
}

/// The text of a document.
public final class DocumentText: ManagedObject {
    /// The whole text; empty if there is a problem.
    @Managed public var text: String
    /// Why the text is not there, one sentence: the file is too large, is not UTF-8, may not be
    /// read.
    @Managed public var problem: String?
    @Managed public var document: Document?

    /// The text without its front matter; with one that is not valid YAML, the whole text.
    public var body: Substring { DocumentHead.body(of: text) }
}
