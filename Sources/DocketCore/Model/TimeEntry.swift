package import ObjectGraph

/// The objects of the entity TimeEntry; its properties are in `TimeEntry+Properties.swift`.
package final class TimeEntry: ManagedObject {}
