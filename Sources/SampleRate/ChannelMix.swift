/// A mix of the channels of one sound to those of another, with the gain of each.
public struct ChannelMix: Hashable, Sendable {
    /// A row for each channel that comes out: how much of each that goes in is in it.
    public let gains: [[Double]]

    /// Creates a mix by its table: a row for each output, each with as many gains as there are inputs. A gain that is not a
    /// finite number is 0.
    public init(gains: [[Double]]) { self.gains = gains.map { $0.map { $0.isFinite ? $0 : 0 } } }

    /// Creates a mix whose output `n` is input `map[n]`, or silent if that is nil. - Parameter inputs: the number of inputs.
    public init(map: [Int?], inputs: Int) {
        gains = map.map { source in (0..<inputs).map { $0 == source ? 1 : 0 } }
    }

    /// The default mix: the same channels; one on all; all in equal parts on one. Nil for other counts.
    public init?(from inputs: Int, to outputs: Int) {
        if inputs == outputs {
            self.init(map: Array(0..<inputs), inputs: inputs)
        } else if inputs == 1 {
            self.init(map: Array(repeating: 0, count: outputs), inputs: 1)
        } else if outputs == 1 {
            self.init(gains: [Array(repeating: 1 / Double(inputs), count: inputs)])
        } else {
            return nil
        }
    }

    var isIdentity: Bool {
        gains.indices.allSatisfy { row in gains[row].indices.allSatisfy { gains[row][$0] == (row == $0 ? 1 : 0) } }
            && gains.allSatisfy { $0.count == gains.count }
    }
}
