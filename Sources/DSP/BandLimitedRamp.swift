import CRealtime

/// The difference between a band-limited corner and a plain one, as a table: add it where the slope of a waveform jumps by 1 a
/// frame, and the corner makes no alias.
///
/// The running integral of `BandLimitedStep`'s step minus that of a plain one in its middle; around a corner 32 frames later than
/// its moment. Source: F. Esqueda, V. Välimäki, S. Bilbao, "Rounding Corners with BLAMP", DAFx 2016.
public enum BandLimitedRamp {
    /// Rows and columns as in `BandLimitedStep.rows`. Made when it is first asked for, never while rendering. Never freed.
    package nonisolated(unsafe) static let rows: UnsafePointer<Float> = makeRows()

    private static func makeRows() -> UnsafePointer<Float> {
        let taps = BandLimitedStep.taps, phases = BandLimitedStep.phases, points = taps * phases, step = BandLimitedStep.rows
        func rest(_ point: Int) -> Double {
            point == points ? 0 : Double(step[point % phases * taps + point / phases])
        }
        // From both ends to the middle by trapezoids: in the first half the plain step is 0, in the second 1.
        var area = [Double](repeating: 0, count: points + 1)
        for point in 1...(points / 2) {
            area[point] = area[point - 1] + (rest(point - 1) + rest(point) + 2) / 2 / Double(phases)
        }
        for point in stride(from: points - 1, to: points / 2, by: -1) {
            area[point] = area[point + 1] - (rest(point + 1) + rest(point)) / 2 / Double(phases)
        }
        let table = UnsafeMutablePointer<Float>.allocate(capacity: (phases + 1) * taps)
        for phase in 0...phases {
            for tap in 0..<taps { (table + phase * taps + tap).initialize(to: Float(area[tap * phases + phase])) }
        }
        return UnsafePointer(table)
    }
}
