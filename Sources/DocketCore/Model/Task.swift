/// The objects of the entity Task; its properties are in `Task+Properties.swift`.
package final class Task: Item {}
