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
}
