import Sequencer

/// A piece as its composer wrote it: parts, meters, tempos, markers. `song()` performs it.
public struct Score: Sendable {
    /// Ticks in a quarter note, in every score of the book: halves to sixty-fourths, triplets and quintuplets are whole.
    public static let quarter = 480

    /// Stands in the first track's name.
    public var title: String
    public var meters: MeterPlan
    public var tempo: TempoPlan
    public var key: KeySignature
    /// Rehearsal marks (FF 06), by tick.
    public var markers: [(tick: Int, name: String)]
    /// Texts (FF 01) of the first track, at tick 0, in this order.
    public var texts: [String]
    /// Universal System Exclusive "GM System On" at the start.
    public var resetsToGeneralMIDI: Bool
    public var parts: [Part]
    /// The bar line that ends the piece. Unit: ticks.
    public var end: Int

    public init(title: String, meters: MeterPlan, tempo: TempoPlan, key: KeySignature,
                markers: [(tick: Int, name: String)] = [], texts: [String] = [], resetsToGeneralMIDI: Bool = true,
                parts: [Part], end: Int) {
        self.title = title
        self.meters = meters
        self.tempo = tempo
        self.key = key
        self.markers = markers
        self.texts = texts
        self.resetsToGeneralMIDI = resetsToGeneralMIDI
        self.parts = parts
        self.end = end
    }

    /// The length of the written music, without what rings on. Unit: seconds.
    public var duration: Double { tempo.seconds(atTick: end) }
}
