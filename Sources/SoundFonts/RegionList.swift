/// What the regions of SFZ files have beside recipes, while it is collected. Control side.
package struct RegionList: Sendable {
    package internal(set) var plans: [RegionPlan] = []
    package internal(set) var ranges: [RegionRange] = []
    package internal(set) var fades: [RegionFade] = []
    package internal(set) var connections: [RegionConnection] = []
    package internal(set) var oscillators: [RegionOscillator] = []
    package internal(set) var contours: [RegionContour] = []
    package internal(set) var points: [RegionPoint] = []
    /// Steps of oscillators.
    package internal(set) var steps: [Float] = []
    /// Curves, 128 numbers each.
    package internal(set) var curves: [Float] = []
    /// Values of controllers, `RegionInstrument.controllers` for each instrument.
    package internal(set) var values: [Float] = []
    package internal(set) var instruments: [RegionInstrument] = []
    private var known: [[Float]: Int32] = [:]

    init() {}

    /// The number of regions of all instruments.
    package var regionCount: Int { instruments.reduce(0) { $0 + Int($1.regionCount) } }

    /// A curve of 128 numbers; equal ones are one.
    mutating func curve(_ numbers: [Float]) -> Int32 {
        if let index = known[numbers] { return index }
        let index = Int32(curves.count / 128)
        curves += numbers
        known[numbers] = index
        return index
    }

    /// Adds all of another list; its plans are those from the returned index on.
    mutating func add(_ other: RegionList) -> Int32 {
        let first = Int32(plans.count), region = Int32(regionCount)
        let range = Int32(ranges.count), fade = Int32(fades.count), connection = Int32(connections.count)
        let oscillator = Int32(oscillators.count), contour = Int32(contours.count), point = Int32(points.count)
        let step = Int32(steps.count), curve = Int32(curves.count / 128), instrument = Int32(instruments.count)
        for var plan in other.plans {
            plan.rule.firstRange += range
            plan.rule.region += region
            plan.level.firstFade += fade
            if plan.level.velocityCurve >= 0 { plan.level.velocityCurve += curve }
            plan.firstConnection += connection
            plan.firstOscillator += oscillator
            plan.firstEnvelope += contour
            plan.instrument += instrument
            plans.append(plan)
        }
        for var line in other.connections {
            if line.curve >= 0 { line.curve += curve }
            connections.append(line)
        }
        for var source in other.oscillators {
            source.firstConnection += connection
            source.firstStep += step
            oscillators.append(source)
        }
        for var source in other.contours {
            source.firstConnection += connection
            source.firstPoint += point
            contours.append(source)
        }
        for var shared in other.instruments {
            shared.firstValue += Int32(values.count)
            shared.firstRegion = region
            instruments.append(shared)
        }
        ranges += other.ranges
        fades += other.fades
        points += other.points
        steps += other.steps
        curves += other.curves
        values += other.values
        known = [:]
        return first
    }
}
