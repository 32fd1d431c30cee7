/// The objects of the entity Note; its properties are in `Note+Properties.swift`.
package final class Note: Item {}
