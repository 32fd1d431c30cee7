package import ObjectGraph

/// The objects of the entity SavedSearch; its properties are in `SavedSearch+Properties.swift`.
package final class SavedSearch: ManagedObject {}
