/// Finds a known click in captured sound at the place where the two fit best, at any level and polarity.
struct ClickSearch {
    /// Frames of the click that are compared.
    static let length = 240
    /// A place where less of the sound is the click than this is none.
    private static let leastSimilarity = 0.6

    private let click: [Float]
    private let energy: Double

    init(click: [Float]) {
        self.click = Array(click.prefix(Self.length))
        energy = self.click.reduce(0) { $0 + Double($1) * Double($1) }
    }

    /// Returns nil if the click is not to be heard.
    func place(in sound: [Float]) -> Int? {
        guard energy > 0, sound.count >= click.count else { return nil }
        var best = 0.0, place: Int?
        var window = sound[..<click.count].reduce(0) { $0 + Double($1) * Double($1) }
        sound.withUnsafeBufferPointer { sound in
            click.withUnsafeBufferPointer { click in
                for start in 0...(sound.count - click.count) {
                    if start > 0 {
                        let old = Double(sound[start - 1]), new = Double(sound[start + click.count - 1])
                        window += new * new - old * old
                    }
                    // Far below what any loop brings back.
                    if window < 1e-9 * energy { continue }
                    var sum: Float = 0
                    for index in 0..<click.count { sum += sound[start + index] * click[index] }
                    let similarity = abs(Double(sum)) / (window * energy).squareRoot()
                    if similarity > best { (best, place) = (similarity, start) }
                }
            }
        }
        return best >= Self.leastSimilarity ? place : nil
    }
}
