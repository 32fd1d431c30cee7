/// The file that is imported: a line an hour from each of four stations, as long as one likes.
enum WeatherFile {
    private static let stations = ["Coast", "Forest", "Hill", "Town"]

    /// The same line for the same number, always.
    static func line(_ number: Int) -> (station: String, celsius: Double) {
        let station = number % stations.count
        let hour = number / stations.count % 24
        // Warmest at two in the afternoon; each station has its own climate.
        let afternoon = 12 - abs(hour - 14)
        return (stations[station], Double(afternoon) + [10.5, 7.0, 4.5, 9.0][station])
    }
}
