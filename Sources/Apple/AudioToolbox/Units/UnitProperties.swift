internal import EngineCore
internal import RealtimeCore

struct UnitProperty: Sendable {
    typealias Place = (scope: AudioUnitScope, element: Int)

    let id: AudioUnitPropertyID
    let scopes: [AudioUnitScope]
    let size: Int
    /// True if it can be set only while the unit is uninitialised.
    var isFixed = false
    var applies: @Sendable (UnitKind) -> Bool = { _ in true }
    /// The bytes of its value; nil for one that is only set.
    var get: (@Sendable (UnitObject, Place) -> [UInt8])?
    /// Nil for one that is only read.
    var set: (@Sendable (UnitObject, Place, UnsafeRawPointer, UInt32) -> OSStatus)?

    static func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }

    static func load<Value>(_: Value.Type, _ data: UnsafeRawPointer) -> Value {
        guard let value = PropertyMemory.take(Value.self, UInt32(MemoryLayout<Value>.size), data) else {
            preconditionFailure("the size was checked")
        }
        return value
    }

    static func number<Value>(
        _ id: AudioUnitPropertyID, _ scopes: [AudioUnitScope], isFixed: Bool = false,
        for applies: @escaping @Sendable (UnitKind) -> Bool = { _ in true }, _: Value.Type,
        get: (@Sendable (UnitObject, Place) -> Value)? = nil, set: (@Sendable (UnitObject, Place, Value) -> OSStatus)? = nil
    ) -> UnitProperty {
        var row = UnitProperty(id: id, scopes: scopes, size: MemoryLayout<Value>.size, isFixed: isFixed, applies: applies)
        if let get { row.get = { unit, place in bytes(get(unit, place)) } }
        if let set { row.set = { unit, place, data, _ in set(unit, place, load(Value.self, data)) } }
        return row
    }

    /// A number that stays what it is, whatever is set.
    static func fixed(
        _ id: AudioUnitPropertyID, _ scopes: [AudioUnitScope],
        for applies: @escaping @Sendable (UnitKind) -> Bool = { _ in true }, _ value: UInt32, isSettable: Bool = true
    ) -> UnitProperty {
        let set: @Sendable (UnitObject, Place, UInt32) -> OSStatus = { _, _, _ in noErr }
        return number(id, scopes, for: applies, UInt32.self, get: { _, _ in value }, set: isSettable ? set : nil)
    }

    /// An object: of one that is read the caller has a reference.
    static func object<Object: AnyObject>(
        _ id: AudioUnitPropertyID, for applies: @escaping @Sendable (UnitKind) -> Bool = { _ in true },
        get: @escaping @Sendable (UnitObject) -> Object?, set: (@Sendable (UnitObject, Object) -> OSStatus)? = nil
    ) -> UnitProperty {
        var row = UnitProperty(
            id: id, scopes: [kAudioUnitScope_Global], size: MemoryLayout<UnsafeRawPointer>.size, applies: applies)
        row.get = { unit, _ in bytes(get(unit).map { Unmanaged.passRetained($0).toOpaque() }) }
        guard let set else { return row }
        row.set = { unit, _, data, _ in
            let object = load(UnsafeRawPointer?.self, data).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            guard let object = object as? Object else { return kAudioUnitErr_InvalidPropertyValue }
            return set(unit, object)
        }
        return row
    }
}

extension UnitObject {
    func find(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) throws -> UnitProperty {
        guard let row = UnitProperties.all[id], row.applies(kind) else { throw Refusal(kAudioUnitErr_InvalidProperty) }
        guard row.scopes.contains(scope) else { throw Refusal(kAudioUnitErr_InvalidScope) }
        if id == kAudioUnitProperty_ParameterInfo {
            let isThere = kind.row(ParameterPlace(id: element, scope: scope, element: 0)) != nil
            if !isThere { throw Refusal(kAudioUnitErr_InvalidParameter) }
        } else if Int(element) >= elements(scope, of: id) {
            throw Refusal(kAudioUnitErr_InvalidElement)
        }
        return row
    }

    func elements(_ scope: AudioUnitScope, of id: AudioUnitPropertyID? = nil) -> Int {
        switch scope {
        // Programs name the element of the device's input.
        case kAudioUnitScope_Global: id == kAudioOutputUnitProperty_SetInputCallback ? 2 : 1
        case kAudioUnitScope_Input: inputs.count
        case kAudioUnitScope_Output: outputs.count
        default: 0
        }
    }

    /// The side of an output unit that is its device's: what it says is the device's business.
    func isDeviceSide(_ place: UnitProperty.Place) -> Bool {
        kind.hasDevice && (place.element == 0) == (place.scope == kAudioUnitScope_Output)
    }

    func format(_ place: UnitProperty.Place) -> AudioStreamBasicDescription {
        if isDeviceSide(place) {
            let other = place.element == 0 ? inputs[0].format : outputs[1].format
            return PCMLayout.planar(rate: other.mSampleRate, channels: 2).description
        }
        return place.scope == kAudioUnitScope_Output ? outputs[place.element].format : inputs[place.element].format
    }

    func setFormat(_ format: AudioStreamBasicDescription, _ place: UnitProperty.Place) -> OSStatus {
        guard !isDeviceSide(place) else { return kAudioUnitErr_PropertyNotWritable }
        guard let layout = PCMLayout(format), layout.rate >= 1_000, layout.channels <= 64 else {
            return kAudioUnitErr_FormatNotSupported
        }
        if isInitialized, !kind.isOutput || isRunning { return kAudioUnitErr_Initialized }
        if place.scope == kAudioUnitScope_Output {
            outputs[place.element].format = format
        } else {
            inputs[place.element].format = format
        }
        return rebuild()
    }

    /// An output unit that is initialised and does not run takes a new format: its plan is made anew.
    func rebuild() -> OSStatus {
        guard isInitialized, own != nil, !isRunning else { return noErr }
        closeOwn()
        return prepare()
    }
}

enum UnitProperties {
    private static let global = [kAudioUnitScope_Global], input = [kAudioUnitScope_Input], output = [kAudioUnitScope_Output]
    private static let buses = [kAudioUnitScope_Input, kAudioUnitScope_Output]
    private static let everywhere = [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output]

    static let all: [AudioUnitPropertyID: UnitProperty] = {
        let rows = general + outputs + music + files
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    }()

    private static let general: [UnitProperty] = [
        .number(
            kAudioUnitProperty_StreamFormat, buses, AudioStreamBasicDescription.self, get: { $0.format($1) },
            set: { $0.setFormat($2, $1) }),
        .number(
            kAudioUnitProperty_SampleRate, everywhere, Float64.self,
            get: { unit, place in
                unit.format(place.scope == kAudioUnitScope_Global ? (kAudioUnitScope_Output, 0) : place).mSampleRate
            },
            set: { unit, place, rate in
                let place = place.scope == kAudioUnitScope_Global ? (kAudioUnitScope_Output, 0) : place
                var format = unit.format(place)
                format.mSampleRate = rate
                return unit.setFormat(format, place)
            }),
        .number(
            kAudioUnitProperty_ElementCount, everywhere, UInt32.self,
            get: { UInt32($0.elements($1.scope)) },
            set: { unit, place, count in
                guard unit.kind.canRepeatInputs, place.scope == kAudioUnitScope_Input else {
                    return kAudioUnitErr_PropertyNotWritable
                }
                guard (1...512).contains(count) else { return kAudioUnitErr_InvalidPropertyValue }
                if unit.isInitialized { return kAudioUnitErr_Initialized }
                unit.setInputs(Int(count))
                return noErr
            }),
        .number(
            kAudioUnitProperty_MaximumFramesPerSlice, global, isFixed: true, UInt32.self,
            get: { unit, _ in UInt32(unit.maximumFrames) },
            set: { unit, _, frames in
                guard (1...65_536).contains(frames) else { return kAudioUnitErr_InvalidPropertyValue }
                unit.maximumFrames = Int(frames)
                return noErr
            }),
        .number(
            kAudioUnitProperty_Latency, global, Float64.self,
            get: { unit, _ in unit.instance.map { Double($0.latency) / (unit.host?.engine.sampleRate ?? 1) } ?? 0 }),
        .number(kAudioUnitProperty_TailTime, global, Float64.self, get: { unit, _ in unit.instance?.descriptor.tail ?? 0 }),
        .number(
            kAudioUnitProperty_BypassEffect, global, for: \.isEffect, UInt32.self,
            get: { unit, _ in unit.effect.isBypassed ? 1 : 0 },
            set: { unit, _, value in
                unit.effect.isBypassed = value != 0
                return unit.changed()
            }),
        .number(
            kAudioUnitProperty_LastRenderError, global, OSStatus.self, get: { unit, _ in unit.host?.lastError ?? noErr }),
        .number(
            kAudioUnitProperty_SupportedNumChannels, global, AUChannelInfo.self,
            get: { unit, _ in
                unit.kind.inputs == 0
                    ? AUChannelInfo(inChannels: 0, outChannels: 2) : AUChannelInfo(inChannels: -1, outChannels: -1)
            }),
        .fixed(kAudioUnitProperty_ShouldAllocateBuffer, buses, 1),
        .number(
            kAudioUnitProperty_SetRenderCallback, [kAudioUnitScope_Input, kAudioUnitScope_Global], for: { $0.inputs > 0 },
            AURenderCallbackStruct.self,
            get: { unit, place in
                if case .callback(let callback) = unit.inputs[place.element].source { callback } else { AURenderCallbackStruct() }
            },
            set: { unit, place, callback in
                if unit.kind.isOutput, place.element > 0 { return kAudioUnitErr_InvalidElement }
                return unit.setSource(callback.inputProc == nil ? .none : .callback(callback), of: place.element)
            }),
        .number(
            kAudioUnitProperty_MakeConnection, input, for: { $0.inputs > 0 }, AudioUnitConnection.self,
            set: { unit, _, connection in
                let input = Int(connection.destInputNumber)
                guard unit.inputs.indices.contains(input) else { return kAudioUnitErr_InvalidElement }
                guard let handle = connection.sourceAudioUnit else { return unit.setSource(.none, of: input) }
                guard let source = UnitHandles.find(handle) else { return kAudioUnitErr_InvalidPropertyValue }
                return unit.connect(source, Int(connection.sourceOutputNumber), to: input)
            }),
        .number(
            kAudioUnitProperty_PresentPreset, global, for: \.isEffect, AUPreset.self, get: { unit, _ in unit.presentPreset },
            set: { unit, _, preset in unit.setPreset(Int(preset.presetNumber)) }),
        UnitProperty(
            id: kAudioUnitProperty_ParameterList, scopes: everywhere, size: 0,
            get: { unit, place in
                unit.kind.parameters.filter { $0.scope == place.scope }.flatMap { UnitProperty.bytes($0.id) }
            }),
        // Its element is the parameter.
        UnitProperty(
            id: kAudioUnitProperty_ParameterInfo, scopes: everywhere, size: MemoryLayout<AudioUnitParameterInfo>.size,
            get: { unit, place in UnitProperty.bytes(unit.kind.info(place)) }),
        .object(kAudioUnitProperty_FactoryPresets, for: \.isEffect, get: \.factoryPresets),
        .object(kAudioUnitProperty_ClassInfo, get: \.settings, set: { $0.load(settings: $1) }),
    ]

    private static let outputs: [UnitProperty] = [
        .number(
            kAudioOutputUnitProperty_EnableIO, buses, isFixed: true, for: \.captures, UInt32.self,
            get: { unit, place in (place.element == 0 ? unit.device.plays : unit.device.captures) ? 1 : 0 },
            set: { unit, place, value in
                if place.element == 0, place.scope == kAudioUnitScope_Output {
                    unit.device.plays = value != 0
                } else if place.element == 1, place.scope == kAudioUnitScope_Input {
                    unit.device.captures = value != 0
                } else {
                    return kAudioUnitErr_InvalidElement
                }
                return noErr
            }),
        .number(
            kAudioOutputUnitProperty_HasIO, buses, for: \.hasDevice, UInt32.self,
            get: { unit, place in (place.element == 0 ? unit.device.plays : unit.device.captures) ? 1 : 0 }),
        // Its device's, which an output unit answers for it.
        .fixed(kAudioDevicePropertyBufferFrameSize, global, for: \.hasDevice, 256, isSettable: false),
        .number(
            kAudioOutputUnitProperty_IsRunning, global, for: \.isOutput, UInt32.self, get: { unit, _ in unit.isRunning ? 1 : 0 }),
        .number(
            kAudioOutputUnitProperty_SetInputCallback, everywhere, for: \.captures, AURenderCallbackStruct.self,
            get: { unit, _ in unit.device.inputCallback ?? AURenderCallbackStruct() },
            set: { unit, _, callback in
                unit.device.inputCallback = callback.inputProc == nil ? nil : callback
                return unit.changed()
            }),
        .number(
            kAudioOutputUnitProperty_CurrentDevice, global, for: \.hasDevice, AudioDeviceID.self,
            get: { unit, _ in unit.device.number },
            set: { unit, _, device in
                guard AudioDevices.name(of: device, capturing: false) != nil else { return kAudioUnitErr_InvalidPropertyValue }
                unit.device.number = device
                return noErr
            }),
    ]

    private static let music: [UnitProperty] = [
        .object(
            kMusicDeviceProperty_SoundBankURL, for: \.isMusicDevice,
            get: { $0.sounds.bank.map { NSURL(fileURLWithPath: $0) } },
            set: { unit, url in
                guard url.isFileURL, let path = url.path else { return kAudioUnitErr_InvalidFilePath }
                return unit.load(path, instrument: nil)
            }),
        .number(
            kAUSamplerProperty_LoadInstrument, global, for: { $0.subtype == kAudioUnitSubType_Sampler },
            AUSamplerInstrumentData.self, set: { unit, _, data in unit.load(data) }),
        // All presets are in memory from the start.
        .fixed(kAUMIDISynthProperty_EnablePreload, global, for: \.isMusicDevice, 0),
    ]

    private static let files: [UnitProperty] = [
        UnitProperty(
            id: kAudioUnitProperty_ScheduledFileIDs, scopes: global, size: MemoryLayout<OpaquePointer>.size,
            applies: \.isFilePlayer,
            set: { unit, _, data, size in
                var paths: [String] = []
                for index in 0..<Int(size) / MemoryLayout<OpaquePointer>.size {
                    let handle = UnitProperty.load(
                        OpaquePointer?.self, data + index * MemoryLayout<OpaquePointer>.size)
                    guard let path = Handles.find(handle, AudioFileObject.self)?.store.path else {
                        return kAudioUnitErr_InvalidFile
                    }
                    paths.append(path)
                }
                unit.scheduledFiles.paths = paths
                return noErr
            }),
        .number(
            kAudioUnitProperty_ScheduledFileRegion, global, for: \.isFilePlayer, ScheduledAudioFileRegion.self,
            set: { unit, _, region in unit.schedule(region) }),
        // A player of the engine reads ahead by itself.
        .fixed(kAudioUnitProperty_ScheduledFilePrime, global, for: \.isFilePlayer, 0),
        .number(
            kAudioUnitProperty_ScheduleStartTimeStamp, global, for: \.isFilePlayer, AudioTimeStamp.self,
            get: { _, _ in AudioTimeStamp() }, set: { unit, _, stamp in unit.start(at: stamp) }),
        .number(
            kAudioUnitProperty_CurrentPlayTime, global, for: \.isFilePlayer, AudioTimeStamp.self,
            get: { unit, _ in
                var stamp = AudioTimeStamp()
                if let start = unit.scheduledFiles.startTime, let host = unit.host {
                    stamp.mSampleTime = Float64(max(-1, host.engine.renderer.sampleTime.rawValue - start))
                } else {
                    stamp.mSampleTime = -1
                }
                stamp.mFlags = .sampleTimeValid
                return stamp
            }),
    ]
}
