import Testing

@testable import RealtimeCore

@Suite struct TimingHistogramTests {
    @Test func smallValuesAreExactAndGreatOnesWithinASixteenth() {
        let histogram = TimingHistogram()
        for value in -31...31 { histogram.add(Int64(value)) }
        #expect(histogram.summary.buckets.map(\.value) == (-31...31).map(Int64.init))
        for exponent in 5...61 {
            for value in [
                Int64(1) << exponent, (Int64(1) << exponent) + 12_345 % (Int64(1) << exponent), (Int64(2) << exponent) - 1,
            ] {
                let bound = TimingHistogram.lowerBound(histogram.bucket(UInt64(value)))
                #expect(bound <= value && Double(value - bound) <= Double(value) / 16)
            }
        }
        for bucket in 1..<TimingHistogram.bucketCount {
            #expect(histogram.bucket(UInt64(TimingHistogram.lowerBound(bucket))) == bucket)
            #expect(TimingHistogram.lowerBound(bucket) > TimingHistogram.lowerBound(bucket - 1))
        }
    }

    @Test(arguments: [Int64.min, .max, 0, -1, 1 << 62]) func anyNumberIsCounted(_ value: Int64) {
        let histogram = TimingHistogram()
        histogram.add(value)
        let summary = histogram.summary
        #expect(summary.count == 1 && summary.minimum == value && summary.maximum == value)
        #expect(summary.percentile(0.5) == value || abs(Double(summary.percentile(0.5)) / Double(value) - 1) <= 1 / 16)
    }

    @Test func percentilesAreThoseOfTheValues() {
        let histogram = TimingHistogram()
        for value in 1...1000 { histogram.add(Int64(value) * 1000) }
        for percent in [1, 5, 50, 95, 99] {
            let exact = Double(percent) * 10_000
            #expect(abs(Double(histogram.summary.percentile(Double(percent) / 100)) / exact - 1) <= 1 / 16)
        }
        #expect(TimingHistogram().summary.percentile(0.5) == 0)
        let summary = histogram.summary
        for share in [-1, Double.nan, -Double.infinity] { #expect(summary.percentile(share) == summary.percentile(0)) }
        for share in [2, Double.infinity] { #expect(summary.percentile(share) == summary.percentile(1)) }
    }
}
