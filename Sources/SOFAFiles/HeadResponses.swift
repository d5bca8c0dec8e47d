import Reports

/// Measurements in the ears of a head, as a SOFA file (AES69) has them: an impulse response of each ear for each direction.
public struct HeadResponses: Sendable {
    /// Samples per second.
    public let sampleRate: Double
    /// Samples of each response.
    public let length: Int
    /// Where the sound came from, in metres: ahead, to the left, up.
    public let places: [(ahead: Float, left: Float, up: Float)]
    /// The left ear's response and the right one's, direction by direction.
    public let samples: [Float]
    /// Samples by which each of them is late besides.
    public let delays: [Float]

    /// Reads a file. Control side; the library that reads it is loaded for that.
    ///
    /// - Throws: what is wrong with the file, or that the library is not installed.
    public init(path: String) throws(Fault) { self = try SOFACalls.read(path) }

    /// Responses that do not come from a file: `length` samples of the left ear and of the right one, and two delays, for each
    /// place.
    ///
    /// Precondition: there is a place, and two responses and two delays for each.
    public init(
        sampleRate: Double, length: Int, places: [(ahead: Float, left: Float, up: Float)], samples: [Float], delays: [Float]
    ) {
        precondition(
            !places.isEmpty && length > 0 && samples.count == 2 * places.count * length && delays.count == 2 * places.count,
            "two responses and two delays for each place")
        (self.sampleRate, self.length, self.places, self.samples, self.delays) = (sampleRate, length, places, samples, delays)
    }
}
