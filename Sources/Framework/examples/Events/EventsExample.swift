import FoundationEssentials
import ObjectGraph

/// The smallest program: events with dates, and the number of its launches.
///
/// The counter is an object like any other. It is found or created, incremented, and saved together
/// with the new event: both are in the store, or neither is.
struct EventsExample: Example {
    let name = "events"
    let summary = "events with dates, and a launch counter in the same store"

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(EventsModel.make(), EventsModel.classes)
        let context = container.viewContext

        let counter =
            try LaunchCounter.first(in: context) ?? context.insert(LaunchCounter.self)
        counter.launches += 1
        output("Launch \(counter.launches) of this store.")

        for title in ["Started", "Looked around"] {
            let event = context.insert(Event.self)
            event.title = "\(title), launch \(counter.launches)"
            event.date = environment.now.addingTimeInterval(Double(counter.launches - 1) * 86_400)
        }
        try context.save()

        output.heading("Events, the latest first")
        let days = try DatePattern("dd.MM.yyyy HH:mm")
        let events = try Event.all(in: context, sortedBy: \.date.descending, \.title)
        output.rows(events.map { [days.text(of: $0.date), $0.title] })

        output.heading("Those of the first day")
        let firstDay = try Event.all(
            in: context,
            where: \.date <= environment.now,
            sortedBy: \.title
        )
        output.rows(firstDay.map { [$0.title] })
    }
}
