/// An audio unit as an object: busses, parameters, presets, render blocks; an output unit starts and stops its device.
///
/// It stands for an instance of a component of AudioToolbox, which ends with it.
open class AUAudioUnit: NSObject {
    let unit: AudioUnit
    private let facts: AVAudioUnitComponent
    /// The component that it was made of.
    public var component: AudioComponent { facts.audioComponent }
    /// The buses that sound comes in by, and those by which it leaves. Of an output unit, input 0 and output 1 are the program's
    /// sides of what is played and captured, output 0 and input 1 the device's.
    public var inputBusses: AUAudioUnitBusArray { Control.run { busses.0 } }
    public var outputBusses: AUAudioUnitBusArray { Control.run { busses.1 } }
    private lazy var busses = (AUAudioUnitBusArray(self, .input), AUAudioUnitBusArray(self, .output))
    /// Parameters that have an effect here.
    public var parameterTree: AUParameterTree? { Control.run { tree } }
    lazy var tree = AUParameterTree(of: unit)
    /// True between `allocateRenderResources` and `deallocateRenderResources`.
    public private(set) var renderResourcesAllocated = false
    /// All that there were, since the render thread may still call one.
    private var blocks: [RenderBlock] = []
    private var pulled: PulledBlock?

    /// An instance of the first component that a description asks for.
    public init(componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []) throws {
        var wanted = componentDescription, made: AudioUnit?
        guard let component = AudioComponentFindNext(nil, &wanted) else {
            throw osError(-3_000, "no component \(componentDescription.componentSubType.fourCharacters)")
        }
        try check(AudioComponentInstanceNew(component, &made))
        guard let made else { throw osError(kAudioComponentErr_TooManyInstances) }
        (unit, facts) = (made, AVAudioUnitComponent(component))
    }

    deinit { AudioComponentInstanceDispose(unit) }

    /// Makes an instance, and gives it or the error on another thread.
    open class func instantiate(
        with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping (AUAudioUnit?, (any Error)?) -> Void
    ) {
        let call = Carried(completionHandler)
        DispatchQueue.global().async {
            do { call.value(try AUAudioUnit(componentDescription: componentDescription), nil) } catch { call.value(nil, error) }
        }
    }

    /// Makes an instance, as `init(componentDescription:options:)`.
    open class func instantiate(
        with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) async throws -> sending AUAudioUnit { try AUAudioUnit(componentDescription: componentDescription) }

    // MARK: - What it is

    open var componentDescription: AudioComponentDescription { facts.audioComponentDescription }
    /// Maker and unit, with a colon between.
    open var componentName: String? { facts.names.joined(separator: ": ") }
    open var manufacturerName: String? { facts.names.first }
    open var audioUnitName: String? { facts.names.last }
    open var componentVersion: UInt32 { UInt32(facts.version) }
    open var isMusicDeviceOrEffect: Bool { facts.hasMIDIInput }

    // MARK: - Properties

    /// Nil where the unit has no such property there.
    func read<Value>(
        _ id: AudioUnitPropertyID, _ start: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: Int = 0
    ) -> Value? {
        var value = start, size = UInt32(MemoryLayout<Value>.size)
        let status = withUnsafeMutableBytes(of: &value) { bytes in
            bytes.baseAddress.map { AudioUnitGetProperty(unit, id, scope, UInt32(clamping: element), $0, &size) }
        }
        return status == noErr ? value : nil
    }

    func write<Value>(
        _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: Int = 0
    ) -> OSStatus {
        withUnsafeBytes(of: value) {
            AudioUnitSetProperty(unit, id, scope, UInt32(clamping: element), $0.baseAddress, UInt32($0.count))
        }
    }

    /// The most frames of one slice, 1...65 536; only while no resources are allocated.
    open var maximumFramesToRender: AUAudioFrameCount {
        get { read(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(0)) ?? 0 }
        set {
            if newValue == maximumFramesToRender { return }
            Refusal.write(write(kAudioUnitProperty_MaximumFramesPerSlice, newValue), "maximumFramesToRender")
        }
    }

    /// Seconds by which the sound is later, and that it still sounds without input.
    open var latency: TimeInterval { read(kAudioUnitProperty_Latency, 0.0) ?? 0 }
    open var tailTime: TimeInterval { read(kAudioUnitProperty_TailTime, 0.0) ?? 0 }

    /// True if sound is led around an effect.
    open var shouldBypassEffect: Bool {
        get { read(kAudioUnitProperty_BypassEffect, UInt32(0)) ?? 0 != 0 }
        set { Refusal.write(write(kAudioUnitProperty_BypassEffect, UInt32(newValue ? 1 : 0)), "shouldBypassEffect") }
    }

    /// The unit's own presets; nil where it has none.
    open var factoryPresets: [AUAudioUnitPreset]? {
        let names = UnitAccess.presets(of: unit)
        return names.isEmpty ? nil : names.enumerated().map { AUAudioUnitPreset(number: $0, name: $1) }
    }

    /// The factory preset that was chosen last; nil before. Only one of those can be chosen.
    open var currentPreset: AUAudioUnitPreset? {
        get {
            guard let preset = read(kAudioUnitProperty_PresentPreset, AUPreset()) else { return nil }
            let name = preset.presetName?.takeRetainedValue() as String? ?? ""
            return preset.presetNumber < 0 ? nil : AUAudioUnitPreset(number: Int(preset.presetNumber), name: name)
        }
        set {
            let preset = AUPreset(presetNumber: Int32(clamping: newValue?.number ?? -1), presetName: nil)
            Refusal.write(write(kAudioUnitProperty_PresentPreset, preset), "currentPreset")
        }
    }

    /// The unit's kind and the values of its parameters, as a property list. One of another kind of unit changes nothing.
    open var fullState: [String: Any]? {
        get {
            let state = read(kAudioUnitProperty_ClassInfo, UnsafeRawPointer?.none) ?? nil
            return state.map { Unmanaged<NSDictionary>.fromOpaque($0).takeRetainedValue() } as? [String: Any]
        }
        set { Refusal.write(load(newValue ?? [:]), "fullState") }
    }

    func load(_ state: [String: Any]) -> OSStatus {
        let state = NSDictionary(dictionary: state)
        return withExtendedLifetime(state) {
            write(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(state).toOpaque())
        }
    }

    // MARK: - Rendering

    /// Makes it ready to render; formats are fixed. Throws Apple's code.
    open func allocateRenderResources() throws {
        try check(AudioUnitInitialize(unit))
        renderResourcesAllocated = true
    }

    open func deallocateRenderResources() {
        AudioUnitUninitialize(unit)
        renderResourcesAllocated = false
    }

    /// Forgets what it holds of past sound.
    open func reset() { AudioUnitReset(unit, kAudioUnitScope_Global, 0) }

    /// Renders a bus on the thread that calls it, which no engine and no device may do then. Of an output unit's bus 1, in its
    /// `inputHandler` or `outputProvider`, it gives what was captured for this slice.
    open var renderBlock: AURenderBlock {
        let unit = unit, pulled = pulledBlock()
        return { flags, stamp, frames, bus, list, pull in
            func render() -> AUAudioUnitStatus { AudioUnitRender(unit, flags, stamp, UInt32(clamping: bus), frames, list) }
            guard let pull, let pulled else { return render() }
            return withUnsafePointer(to: pull) { place in
                pulled.place = place
                defer { pulled.place = nil }
                return render()
            }
        }
    }

    /// What the inputs of a unit that is no output unit get from each call of the render block.
    private func pulledBlock() -> PulledBlock? {
        Control.run {
            if let pulled { return pulled }
            if canPerformOutput || inputBusses.count == 0 { return nil }
            let block = PulledBlock(), data = Unmanaged.passUnretained(block).toOpaque()
            let callback = AURenderCallbackStruct(inputProc: PulledBlock.proc, inputProcRefCon: data)
            for bus in 0..<inputBusses.count {
                _ = write(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, bus)
            }
            pulled = block
            return block
        }
    }

    /// Sends MIDI to a music device; nil for other units.
    open var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
        guard isMusicDeviceOrEffect else { return nil }
        let unit = unit
        return { time, _, length, bytes in
            guard length > 0 else { return }
            if bytes[0] == 0xF0 {
                MusicDeviceSysEx(unit, bytes, UInt32(clamping: length))
                return
            }
            let offset = UnitAccess.offset(of: time, for: unit)
            var place = 0
            while place < length {
                let isShort = bytes[place] & 0xE0 == 0xC0, size = isShort ? 2 : 3
                guard place + size <= length else { return }
                MusicDeviceMIDIEvent(
                    unit, UInt32(bytes[place]), UInt32(bytes[place + 1]), isShort ? 0 : UInt32(bytes[place + 2]), offset)
                place += size
            }
        }
    }

    /// Sets parameters on a frame, or leads them to a value from there on.
    open var scheduleParameterBlock: AUScheduleParameterBlock {
        let unit = unit
        return { time, length, address, value in
            let id = AudioUnitParameterID(truncatingIfNeeded: address), offset = UnitAccess.offset(of: time, for: unit)
            let (scope, element) = (AudioUnitScope(address >> 32 & 0xFFFF), AudioUnitElement(address >> 48))
            var event = AudioUnitParameterEvent(
                scope: scope, element: element, parameter: id, eventType: .parameterEvent_Immediate, eventValues: .init())
            event.eventValues.immediate = .init(bufferOffset: offset, value: value)
            if length > 0 {
                var start: Float = 0
                AudioUnitGetParameter(unit, id, scope, element, &start)
                event.eventType = .parameterEvent_Ramped
                event.eventValues.ramp = .init(
                    startBufferOffset: Int32(offset), durationInFrames: length, startValue: start, endValue: value)
            }
            AudioUnitScheduleParameters(unit, &event, 1)
        }
    }

    // MARK: - Output units

    /// Gives what is played, on the render thread, in the format of input bus 0.
    open var outputProvider: AURenderPullInputBlock? {
        didSet {
            let callback = keep(outputProvider.map { .init($0, nil) })
            Refusal.write(write(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, 0), "outputProvider")
        }
    }

    /// Called when frames were captured, on the render thread.
    open var inputHandler: AUInputHandler? {
        didSet {
            let callback = keep(inputHandler.map { .init(nil, $0) })
            Refusal.write(write(kAudioOutputUnitProperty_SetInputCallback, callback), "inputHandler")
        }
    }

    private func keep(_ block: RenderBlock?) -> AURenderCallbackStruct {
        guard let block else { return AURenderCallbackStruct() }
        Control.run { blocks.append(block) }
        return AURenderCallbackStruct(inputProc: RenderBlock.proc, inputProcRefCon: Unmanaged.passUnretained(block).toOpaque())
    }

    /// True if it is an output unit whose device captures, or plays.
    open var canPerformInput: Bool { read(kAudioOutputUnitProperty_EnableIO, UInt32(0), kAudioUnitScope_Input, 1) != nil }
    open var canPerformOutput: Bool { read(kAudioOutputUnitProperty_HasIO, UInt32(0), kAudioUnitScope_Output, 0) != nil }

    /// Whether it captures, and whether it plays; only while no resources are allocated.
    open var isInputEnabled: Bool {
        get { read(kAudioOutputUnitProperty_HasIO, UInt32(0), kAudioUnitScope_Input, 1) ?? 0 != 0 }
        set { enable(kAudioUnitScope_Input, 1, newValue, "isInputEnabled") }
    }
    open var isOutputEnabled: Bool {
        get { read(kAudioOutputUnitProperty_HasIO, UInt32(0), kAudioUnitScope_Output, 0) ?? 0 != 0 }
        set { enable(kAudioUnitScope_Output, 0, newValue, "isOutputEnabled") }
    }

    private func enable(_ scope: AudioUnitScope, _ element: Int, _ isEnabled: Bool, _ name: String) {
        Refusal.write(write(kAudioOutputUnitProperty_EnableIO, UInt32(isEnabled ? 1 : 0), scope, element), name)
    }

    /// The device of an output unit; 0 for other units.
    open var deviceID: AUAudioObjectID { read(kAudioOutputUnitProperty_CurrentDevice, AUAudioObjectID(0)) ?? 0 }
    open func setDeviceID(_ deviceID: AUAudioObjectID) throws {
        try check(write(kAudioOutputUnitProperty_CurrentDevice, deviceID))
    }

    /// Starts the device, once resources are allocated. Throws Apple's code; one line on standard error names the remedy.
    open func startHardware() throws { try check(AudioOutputUnitStart(unit)) }
    open func stopHardware() { AudioOutputUnitStop(unit) }
    /// True while the device of an output unit runs.
    open var isRunning: Bool { read(kAudioOutputUnitProperty_IsRunning, UInt32(0)) ?? 0 != 0 }
}

/// A block of the program that a callback of AudioToolbox finds by its pointer.
private final class RenderBlock {
    let provider: AURenderPullInputBlock?
    let handler: AUInputHandler?

    init(_ provider: AURenderPullInputBlock?, _ handler: AUInputHandler?) { (self.provider, self.handler) = (provider, handler) }

    static let proc: AURenderCallback = { data, flags, stamp, bus, frames, list in
        Unmanaged<RenderBlock>.fromOpaque(data)._withUnsafeGuaranteedRef { block in
            // The device's side of what is captured is bus 1.
            block.handler?(flags, stamp, frames, 1)
            guard let provider = block.provider, let list else { return noErr }
            return provider(flags, stamp, frames, Int(bus), list)
        }
    }
}

/// The block that gives input to the call of a render block that this thread makes.
private final class PulledBlock: @unchecked Sendable {
    var place: UnsafePointer<AURenderPullInputBlock>?

    static let proc: AURenderCallback = { data, flags, stamp, bus, frames, list in
        Unmanaged<PulledBlock>.fromOpaque(data)._withUnsafeGuaranteedRef { block in
            guard let place = block.place, let list else { return kAudioUnitErr_NoConnection }
            return place.pointee(flags, stamp, frames, Int(bus), list)
        }
    }
}

extension AUAudioUnitPreset {
    convenience init(number: Int, name: String) {
        self.init()
        (self.number, self.name) = (number, name)
    }
}
