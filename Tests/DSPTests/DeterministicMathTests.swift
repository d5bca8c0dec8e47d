import DSP
import Glibc
import Testing

@Suite struct DeterministicMathTests {
    @Test func itAgreesWithTheCLibraryToTheFifteenthDigit() {
        var x = -20.0
        while x < 20 {
            let power = exp2(x)
            #expect(abs(DeterministicMath.exp2(x) / power - 1) < 2e-15, "2^\(x)")
            #expect(abs(DeterministicMath.log2(power) - log2(power)) < 1e-14, "log2 of \(power)")
            #expect(abs(DeterministicMath.sine(turns: x) - sin((x - x.rounded()) * 2 * Double.pi)) < 2e-15, "sine of \(x) turns")
            x += 0.0137
        }
    }

    @Test func wholePowersAndQuarterTurnsAreExact() {
        for n in -60...60 { #expect(DeterministicMath.exp2(Double(n)) == exp2(Double(n))) }
        #expect(DeterministicMath.sine(turns: 7) == 0)
        #expect(abs(DeterministicMath.cosine(turns: 0) - 1) < 1e-15)
    }

    @Test func floorAndSquareRootAreThoseOfTheStandard() {
        for x in [-2.5, -2, -0.1, 0, 0.5, 1.999, 7] { #expect(DeterministicMath.floor(x) == x.rounded(.down)) }
        for x in [0, 0.25, 2, 1e-300, 1e300] { #expect(DeterministicMath.squareRoot(x) == x.squareRoot()) }
        #expect(DeterministicMath.squareRoot(-1).isNaN)
    }

    @Test func theQuickOnesAreAsCloseAsTheySay() {
        var x = -20.0
        while x < 20 {
            #expect(abs(DeterministicMath.quickExp2(x) / exp2(x) - 1) < 1e-11, "2^\(x)")
            x += 0.0137
        }
        var turns: Float = -1
        while turns < 2 {
            #expect(abs(Double(DeterministicMath.quickSine(turns: turns)) - sin(Double(turns) * 2 * .pi)) < 1e-6)
            turns += 0.00137
        }
    }
}
