import Reports
import UnitAPI

/// Makes the unit of a plug-in as its setup asks for it: with a preset, in this process or in one of its own.
struct PlugInMaking {
    let controls: PlugInControls
    let descriptor: UnitDescriptor
    let setup: UnitSetup

    func instance() throws(UnitError) -> UnitInstance {
        let preset = try preset()
        let list = try startingFrom(preset)
        let rest = try number(PlugInControls.restProperty, 0.05...3600) ?? 2
        let state = preset?.uri ?? (controls.plugIn.wantsDefaultState ? controls.plugIn.uri : nil)
        let trim = try number(PlugInControls.trimProperty, -24...24) ?? 0
        let plan = PlugInPlan(
            name: descriptor.name, controls: controls, list: list, state: state, rest: rest,
            trim: PlugInTrim(decibels: Float(trim), buses: controls.soundBuses))
        let specs = list.map(\.spec), isInChild = try flag(PlugInControls.childProperty)
        let delay = try number(PlugInControls.latencyProperty, 16...65_536).map { Int($0) } ?? setup.maximumFrames
        if isInChild {
            return try UnitInstance.make(setup, descriptor: descriptor, parameters: specs) { (setup) throws(UnitError) in
                try PlugInChildUnit(plan, setup, delay: delay)
            }
        }
        return try UnitInstance.make(setup, descriptor: descriptor, parameters: specs) { (setup) throws(UnitError) in
            try PlugInUnit(plan, setup)
        }
    }

    private func preset() throws(UnitError) -> PlugInDescription.Preset? {
        guard let value = setup.properties[PlugInControls.presetProperty] else { return nil }
        guard case .text(let title) = value else {
            throw invalid(PlugInControls.presetProperty, "the title of a preset is wanted")
        }
        let presets = controls.plugIn.presets
        if let found = presets.first(where: { $0.title == title || $0.uri == title }) { return found }
        throw invalid(
            PlugInControls.presetProperty,
            "there is no preset \"\(title)\"" + NearName.question(title, among: presets.map(\.title)) + "; "
                + (presets.isEmpty ? "it has none" : "choose from \(presets.map(\.title).joined(separator: ", "))"))
    }

    private func startingFrom(_ preset: PlugInDescription.Preset?) throws(UnitError) -> [PlugInControls.Control] {
        guard let preset else { return controls.controls }
        let values: [String: Float]
        do { values = try LilvCalls.inTurn { (lilv) throws(PlugInError) in lilv.values(ofPreset: preset.uri) } } catch {
            throw .resource(unit: descriptor.name, reason: error.description, fault: .plugIn)
        }
        return controls.controls.map { control in
            guard let value = values[control.symbol] else { return control }
            var moved = control
            moved.spec.initial = control.value(ofPlugIn: value)
            return moved
        }
    }

    private func number(_ property: String, _ range: ClosedRange<Double>) throws(UnitError) -> Double? {
        let number: Double
        switch setup.properties[property] {
        case nil: return nil
        case .number(let value): number = value
        case .integer(let value): number = Double(value)
        default: throw invalid(property, "a number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        guard range.contains(number) else {
            throw invalid(property, "choose from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func flag(_ property: String) throws(UnitError) -> Bool {
        switch setup.properties[property] {
        case nil: return false
        case .flag(let isOn): return isOn
        // The words of parameters and of the keys of a patch.
        case .text("on"), .text("yes"): return true
        case .text("off"), .text("no"): return false
        default: throw invalid(property, "on or off is wanted")
        }
    }

    private func invalid(_ property: String, _ reason: String) -> UnitError {
        .invalidProperty(unit: descriptor.name, property: property, reason: reason)
    }
}

struct PlugInPlan: Sendable {
    let name: String
    let controls: PlugInControls
    let list: [PlugInControls.Control]
    let state: String?
    /// Seconds of silence after which it is at rest.
    let rest: Double
    let trim: PlugInTrim

    /// Returns the values that the plug-in's control ports are to hold at the start, by port.
    func start(_ setup: UnitSetup) -> [UInt32: Float] {
        var values: [UInt32: Float] = [:]
        for control in list {
            let value = setup.startValues[control.spec.name] ?? control.spec.initial
            values[control.port] =
                control.values.isEmpty
                ? value * control.scale * (control.isOfRate ? Float(setup.sampleRate) : 1)
                : control.values[min(max(Int(value), 0), control.values.count - 1)]
        }
        return values
    }
}
