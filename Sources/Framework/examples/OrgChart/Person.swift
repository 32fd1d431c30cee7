import FoundationEssentials
import ObjectGraph

/// The objects of the entity Person.
final class Person: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("hired") var hired: Date
    @Managed("name") var name: String

    /// A year, in whole euros.
    @Managed("salary") var salary: Int32

    /// nil for those who are still finding out.
    @Managed("title") var title: String?

    /// Who reports to this person.
    @Managed("employees") var employees: Set<Person>

    @Managed("leads") var leads: Organization?
    @Managed("manager") var manager: Person?
    // End of the properties of the model.
}
