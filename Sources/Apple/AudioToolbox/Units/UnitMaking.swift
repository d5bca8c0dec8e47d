internal import EngineCore
internal import Graphs
internal import UnitAPI

enum UnitMaking {
    static func instance(of unit: UnitObject, _ graph: Graph, host: RenderHost?) throws -> UnitInstance {
        var setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
        let component: String
        switch unit.kind.work {
        case .output, .passing, .filePlayer:
            let channels = unit.inputs.first.flatMap { PCMLayout($0.format)?.channels } ?? 2
            return passing(channels, setup, unit === host?.root ? host : nil)
        case .engine(let name):
            component = name
            if unit.kind.canRepeatInputs { setup.inputCount = unit.inputs.count }
        case .music:
            component = "soundfont"
            setup.properties[UnitDescriptor.busesProperty] = .text(OutputBuses.main.rawValue)
            if let bank = unit.sounds.bank { setup.properties["soundfonts"] = .list([.text(bank)]) }
        }
        let entry = try UnitCatalog.required(component, for: component)
        setup.startValues = unit.kind.settings
        func set(_ name: String, _ element: Int, _ value: Float) {
            guard let spec = entry.parameters.first(where: { $0.name == name }) else { return }
            let count = spec.elementCount(inputs: max(setup.inputCount, 1), bands: entry.descriptor.bands)
            var list = setup.elementValues[name] ?? (0..<count).map { spec.initial(of: $0) }
            if list.indices.contains(element) { list[element] = spec.clamped(value) }
            setup.elementValues[name] = list
        }
        for (place, value) in unit.values {
            guard let target = unit.kind.row(place)?.target else { continue }
            set(target.name, unit.element(place), target.value(value))
        }
        for (place, value) in unit.effect.adjustments { set(place.name, place.element, value) }
        return try entry.make(setup)
    }

    /// What comes in goes out; at the end of a plan the slice is over then.
    private static func passing(_ channels: Int, _ setup: UnitSetup, _ host: RenderHost?) -> UnitInstance {
        let end = host.map { _ in SliceMemory(.planar(rate: setup.sampleRate, channels: channels), frames: 1) }
        let place = host.map { Unmanaged.passUnretained($0) }, unit = host.map { Unmanaged.passUnretained($0.root) }
        return UnitInstance.callback("unit", inputs: [channels], outputs: [channels], setup: setup) { io in
            let frames = io.frames, volume = unit?._withUnsafeGuaranteedRef { $0.outputVolume } ?? 1
            for channel in 0..<channels {
                let input = io.input(0, channel), output = io.output(0, channel)
                for index in 0..<frames { output[index] = volume * input[index] }
                end?.point(channel, to: output.base, frames)
            }
            place?._withUnsafeGuaranteedRef { host in
                _ = host.slices.begin(io.sampleTime, frames)
                host.endOfDevice(frames, end?.list)
            }
            return .sounding
        }
    }
}

extension UnitKind {
    func row(_ place: UnitObject.ParameterPlace) -> UnitParameterRow? {
        parameters.first { $0.id == place.id && $0.scope == place.scope }
    }
}

extension UnitObject {
    /// The element of the engine's parameter: the input, or the band that Apple counts in the ID.
    func element(_ place: ParameterPlace) -> Int {
        kind.subtype == kAudioUnitSubType_NBandEQ && place.id >= kAUNBandEQParam_BypassBand
            ? Int(place.id % 1_000) : Int(place.element)
    }

    func find(_ place: ParameterPlace) throws -> (row: UnitParameterRow, value: Float) {
        guard kind.parameters.contains(where: { $0.id == place.id }) else { throw Refusal(kAudioUnitErr_InvalidParameter) }
        guard let row = kind.row(place) else { throw Refusal(kAudioUnitErr_InvalidScope) }
        guard let value = values[place] else { throw Refusal(kAudioUnitErr_InvalidElement) }
        return (row, value)
    }

    /// - Parameter length: the frames that the way there takes; 0 for the engine's own.
    func setParameter(_ place: ParameterPlace, _ value: Float, after frames: Int, over length: Int32 = 0) -> OSStatus {
        UnitFaults.status {
            let row = try find(place).row
            guard value.isFinite else { throw Refusal(kAudioUnitErr_InvalidParameterValue) }
            guard row.target != nil || kind.isOutput else { throw Refusal(kAudio_UnimplementedError) }
            let value = min(max(value, row.range.lowerBound), row.range.upperBound)
            values[place] = value
            guard let target = row.target else { return outputVolume = value }
            try UnitFaults.check(send(target.name, element(place), target.value(value), after: frames, over: length))
        }
    }

    /// In steps, since a straight way in Apple's measure is none in the engine's.
    func ramp(_ place: ParameterPlace, _ start: Float, _ end: Float, after frames: Int, over length: Int) -> OSStatus {
        let steps = min(16, length)
        var status = setParameter(place, start, after: frames, over: 1)
        for step in 0..<steps where status == noErr {
            let value = start + Float(step + 1) / Float(steps) * (end - start)
            status = setParameter(place, value, after: frames + 1 + step * length / steps, over: Int32(length / steps))
        }
        return status
    }

    /// Sets a parameter of the engine's unit, where there is one.
    func send(_ name: String, _ element: Int, _ value: Float, after frames: Int, over length: Int32 = 0) -> OSStatus {
        guard let host, let specs = instance?.parameters.specs else { return noErr }
        guard let place = specs.firstIndex(where: { $0.name == name }), specs[place].applies != .atStart else { return noErr }
        let value = specs[place].clamped(value), index = Int32(place), element = Int32(element)
        return host.send(
            length == 0
                ? .parameter(index: index, element: element, value: value)
                : .ramp(index: index, element: element, value: value, frames: length, curve: .linear), to: self, after: frames)
    }
}
