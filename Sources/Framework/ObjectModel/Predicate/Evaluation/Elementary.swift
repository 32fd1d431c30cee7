#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The C library's elementary functions, which FoundationEssentials does not re-export.
enum Elementary {
    static func commonLogarithm(_ x: Double) -> Double { log10(x) }

    static func naturalLogarithm(_ x: Double) -> Double { log(x) }

    static func exponential(_ x: Double) -> Double { exp(x) }

    static func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }

    static func sine(_ x: Double) -> Double { sin(x) }

    static func cosine(_ x: Double) -> Double { cos(x) }

    static func arcSine(_ x: Double) -> Double { asin(x) }
}
