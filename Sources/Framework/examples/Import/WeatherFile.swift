/// The imported file: a line an hour from each of four stations, of any length.
enum WeatherFile {
    private static let stations = ["Coast", "Forest", "Hill", "Town"]

    /// The line of a number; always the same.
    static func line(_ number: Int) -> (station: String, celsius: Double) {
        let station = number % stations.count
        let hour = number / stations.count % 24
        // Warmest at two in the afternoon; each station has its own climate.
        let afternoon = 12 - abs(hour - 14)
        return (stations[station], Double(afternoon) + [10.5, 7.0, 4.5, 9.0][station])
    }
}
