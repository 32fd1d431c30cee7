/// What a relationship that does not name its other side says of it.
public enum InverseRule: Sendable {
    /// The other side is the one relationship between the two classes that can be it: it leads back,
    /// names no other side either, and is the only one. Several are an error when the container
    /// opens, which names them. A relationship between objects of one class finds its other side if
    /// one of both is a to-one and the other a to-many relationship, such as parent and children.
    case inferred
    /// There is no other side: nothing but this relationship changes when it is set.
    case none
}
