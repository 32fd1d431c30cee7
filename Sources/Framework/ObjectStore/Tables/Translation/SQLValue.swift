package import FoundationEssentials

/// An argument of a statement.
package enum SQLValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
