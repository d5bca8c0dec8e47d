import DSP

/// The curves of one SFZ file: the seven that every file has, and its own. Source: sfzformat.com, "<curve>".
struct SFZCurves {
    private var tables: [Int: [Float]] = [:]

    init(_ headers: [SFZText.Opcodes]) {
        for number in 0...6 { tables[number] = (0..<128).map { Self.standard(number, Float($0) / 127) } }
        for (position, header) in headers.enumerated() {
            let number = header["curve_index"].flatMap { SFZOpcodes.number($0.text) } ?? Double(7 + position)
            guard (0...255).contains(number) else { continue }
            var points: [Int: Float] = [0: 0, 127: 1]
            for (name, value) in header where name.hasPrefix("v") {
                guard let place = Int(name.dropFirst()), (0...127).contains(place), let level = SFZOpcodes.number(value.text)
                else { continue }
                points[place] = Float(min(max(level, -1), 1))
            }
            tables[Int(number)] = Self.straight(points)
        }
        let straight = (0..<128).map { Float($0) / 127 }
        tables = tables.filter { $0.value != straight }
    }

    /// 128 numbers; nil for a curve that is not there, and for one that is straight from 0 to 1.
    subscript(number: Int) -> [Float]? { tables[number] }

    private static func standard(_ number: Int, _ x: Float) -> Float {
        switch number {
        case 0: x
        case 1: 2 * x - 1
        case 2: 1 - x
        case 3: 1 - 2 * x
        case 4: x * x
        case 5: Float(DeterministicMath.squareRoot(Double(x)))
        default: Float(DeterministicMath.squareRoot(Double(1 - x)))
        }
    }

    /// Straight lines between points, of which there is one at either end.
    static func straight(_ points: [Int: Float]) -> [Float] {
        let places = points.keys.sorted()
        var curve = [Float](repeating: 0, count: 128)
        for (left, right) in zip(places, places.dropFirst()) {
            let low = points[left] ?? 0, high = points[right] ?? 0
            for place in left...right { curve[place] = low + (high - low) * Float(place - left) / Float(right - left) }
        }
        return curve
    }
}
