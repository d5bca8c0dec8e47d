import CarillonTestKit
import UnitAPI
import Units

extension Performance {
    /// A polysynth of one saw without modulation, its filter open, that sounds as long as a key is down; what is asked for goes
    /// before.
    static func polySynth(
        sampleRate: Double = 48_000, _ settings: [String: Float] = [:],
        slots: [(source: Int, destination: Int, amount: Float)] = []
    ) -> Performance {
        let plain: [String: Float] = [
            "osc-1-level": 100, "osc-2-level": 0, "cutoff": 20_000, "slope": 0, "resonance": 0, "key-follow": 0,
            "filter-envelope": 0, "velocity-curve": 2, "attack": 0.0005,
        ]
        var performance = Performance(sampleRate: sampleRate, plain.merging(settings) { $1 })
        let padded = (0..<4).map { $0 < slots.count ? slots[$0] : (0, 0, 0) }
        let elements = [
            "source": padded.map { Float($0.0) }, "destination": padded.map { Float($0.1) }, "amount": padded.map(\.2),
        ]
        performance.make = { rig, values in
            try rig.graph.add(
                try UnitInstance.make(PolySynth.self, rig.setup(startValues: values, elementValues: elements)))
        }
        return performance
    }

    mutating func set(_ parameter: PolySynth.Parameter, element: Int = 0, _ value: Float, at time: Int) {
        set(index: parameter.rawValue, element: element, value, at: time)
    }
}

/// Numbers of the matrix's names, for the tests.
enum MatrixSource { static let lfo = 0, envelope = 1, velocity = 2, key = 3, wheel = 4, pressure = 5, random = 6 }
enum MatrixGoal { static let pitch = 0, otherPitch = 1, width = 2, cutoff = 3, resonance = 4, level = 5, pan = 6, rate = 7 }
