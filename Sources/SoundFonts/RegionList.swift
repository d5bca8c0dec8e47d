/// What the regions of SFZ files have besides recipes, while it is collected. Control side.
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

    /// The number of regions, and of those that take turns.
    private(set) var regionCount = 0, counterCount = 0

    /// Adds the plans of one region, which has the next number; and a counter if it takes turns.
    mutating func addRegion(_ plans: [RegionPlan]) {
        for var plan in plans {
            plan.rule.region = Int32(regionCount)
            if plan.rule.turns > 1 { plan.rule.counter = Int32(counterCount) }
            self.plans.append(plan)
        }
        regionCount += 1
        if let first = plans.first, first.rule.turns > 1 { counterCount += 1 }
    }

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
        let first = Int32(plans.count), region = Int32(regionCount), counter = Int32(counterCount)
        let range = Int32(ranges.count), fade = Int32(fades.count), connection = Int32(connections.count)
        let oscillator = Int32(oscillators.count), contour = Int32(contours.count), point = Int32(points.count)
        let step = Int32(steps.count), curve = Int32(curves.count / 128), instrument = Int32(instruments.count)
        for var plan in other.plans {
            plan.rule.firstRange += range
            plan.rule.region += region
            if plan.rule.counter >= 0 { plan.rule.counter += counter }
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
            instruments.append(shared)
        }
        ranges += other.ranges
        fades += other.fades
        points += other.points
        steps += other.steps
        curves += other.curves
        values += other.values
        regionCount += other.regionCount
        counterCount += other.counterCount
        known = [:]
        return first
    }
}
