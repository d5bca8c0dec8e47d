// [render]

/// The weights of windowed-sinc interpolation: for each semitone up to three octaves above a sample's own rate a table whose
/// cut-off is at half the output's rate, so that frequencies that would alias are removed; at and below its rate one with the
/// sample's own half rate.
struct SincWeights: BitwiseCopyable {
    /// Fractions between two frames that have a row of weights; one more row is the first, a frame on.
    static var rows: Int { @_noLocks get { 128 } }
    static var tables: Int { @_noLocks get { 37 } }

    /// Weights of a row: 16 or 32.
    let points: Int
    private let weights: UnsafePointer<Float>
    /// The widest step that each table serves, 32.32 frames.
    private let widest: UnsafePointer<UInt64>

    init(_ tables: SincTables) {
        points = tables.points
        weights = UnsafePointer(tables.weights)
        widest = UnsafePointer(tables.widest)
    }

    /// The table for steps of `increment`, 32.32 frames: that of the nearest semitone. Beyond the last one it stays.
    @_noLocks func table(_ increment: UInt64) -> UnsafePointer<Float> {
        var semitone = 0
        while semitone < Self.tables &- 1 && increment > widest[semitone] { semitone &+= 1 }
        return weights + semitone &* (Self.rows &+ 1) &* points
    }
}
