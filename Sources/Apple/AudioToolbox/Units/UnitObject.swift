internal import EngineCore
internal import Graphs
internal import MIDI
internal import RealtimeCore
import Synchronization
internal import UnitAPI

/// What an audio unit's handle stands for: the formats, sources, values and properties that the program has set. The sound is
/// made by a unit of the engine, in the plan of its host.
final class UnitObject: @unchecked Sendable {
    enum Source {
        case none
        case callback(AURenderCallbackStruct)
        case unit(UnitObject, bus: Int)
    }

    struct Element {
        var format = UnitObject.usualFormat
        var source = Source.none
    }

    struct ParameterPlace: Hashable {
        let id: AudioUnitParameterID
        let scope: AudioUnitScope
        let element: AudioUnitElement
    }

    struct Listener {
        let id: AudioUnitPropertyID
        let proc: AudioUnitPropertyListenerProc
        let data: UnsafeMutableRawPointer?
    }

    /// What only output units have: the callback for captured sound, the two sides of a device, the device.
    struct DeviceSettings {
        var inputCallback: AURenderCallbackStruct?
        var plays = true
        var captures = false
        var number = AudioDevices.usual
    }

    struct Adjustment: Hashable {
        let name: String
        let element: Int
    }

    /// What effects have beside parameters: a way around, the number of the factory preset that was set last, and values of the
    /// engine's unit that none of Apple's parameters stands for.
    struct EffectSettings {
        var isBypassed = false
        var preset: Int?
        var adjustments: [Adjustment: Float] = [:]
    }

    /// What only music devices have: a SoundFont, an instrument of it, and music that waits for a plan.
    struct SoundSettings {
        var bank: String?
        var instrument: (bank: UInt8, isDrums: Bool, program: UInt8)?
        /// What it is made of, where that is audio files.
        var samples: SampleInstrument?
        var waiting: [MusicEvent] = []
        var exclusive = SystemExclusive()
    }

    /// Planar single precision, as units talk among themselves.
    static let usualFormat = PCMLayout.planar(rate: 44_100, channels: 2).description

    let kind: UnitKind
    let component: AudioComponent
    var handle: AudioUnit?
    var inputs: [Element]
    var outputs: [Element]
    var values: [ParameterPlace: Float] = [:]
    var maximumFrames = 4_096
    var effect = EffectSettings()
    /// Of an output unit; the render thread reads it.
    private let volume = Atomic<UInt32>(Float(1).bitPattern)
    var outputVolume: Float {
        get { Float(bitPattern: volume.load(ordering: .relaxed)) }
        set { volume.store(newValue.bitPattern, ordering: .relaxed) }
    }
    var isInitialized = false
    /// A graph opens and closes it.
    var isOfGraph = false
    var listeners: [Listener] = []
    var notifies: [AURenderCallbackStruct] = []
    var device = DeviceSettings()
    var sounds = SoundSettings()
    var scheduledFiles = ScheduledFiles()

    /// The plan that it is part of, and the one of which it is the end.
    private(set) var host: RenderHost?
    var own: RenderHost?
    /// Its place in the plan, for callbacks of the plan.
    let live = LivePlace()
    /// Whether a thread renders by `own`.
    private let isClaimed = Atomic<Bool>(false)

    init(_ kind: UnitKind, _ component: AudioComponent) {
        (self.kind, self.component) = (kind, component)
        inputs = Array(repeating: Element(), count: kind.inputs)
        outputs = Array(repeating: Element(), count: kind.outputs)
        fillValues()
    }

    /// Gives each parameter that has none its first value, and takes away those of inputs that are gone.
    func fillValues() {
        let former = values
        values = [:]
        for (row, element) in parameters {
            let place = ParameterPlace(id: row.id, scope: row.scope, element: element)
            values[place] = former[place] ?? row.initial
        }
    }

    private var parameters: [(row: UnitParameterRow, element: AudioUnitElement)] {
        kind.parameters.flatMap { row in
            (0..<(row.scope == kAudioUnitScope_Input ? inputs.count : 1)).map { (row, AudioUnitElement($0)) }
        }
    }

    /// The parameters that have an effect.
    var heard: [(row: UnitParameterRow, element: AudioUnitElement)] {
        parameters.filter { $0.row.target != nil || kind.isOutput }
    }

    var isRunning: Bool { own?.isRunning ?? false }

    var instance: UnitInstance? { host.flatMap { host in host.node(of: self).flatMap { host.engine.graph[$0]?.instance } } }

    func move(to host: RenderHost?, node: NodeID? = nil) {
        self.host = host
        live.publish(host, node, channel: soleChannel)
    }

    /// Takes the right to render by `own`, or to take `own` away. Never waits.
    func claim() -> Bool { isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged }
    func unclaim() { isClaimed.store(false, ordering: .releasing) }

    /// The plan ends when no thread renders by it.
    func closeOwn() {
        guard let own else { return }
        while !claim() { usleep(100) }
        own.close()
        self.own = nil
        unclaim()
    }

    func render(_ stamp: AudioTimeStamp, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        guard claim() else { return kAudioUnitErr_CannotDoInCurrentContext }
        defer { unclaim() }
        guard let own else {
            return live.hostAddress == 0
                ? kAudioUnitErr_Uninitialized : kAudioUnitErr_CannotDoInCurrentContext
        }
        return own.pull(frames, stamp, into: list)
    }

    /// Makes a plan of which it is the end, where it is part of none.
    func prepare() -> OSStatus {
        if host != nil { return noErr }
        let status = UnitFaults.status {
            let own = try RenderHost(self)
            self.own = own
            try own.sync()
        }
        if status != noErr { closeOwn() }
        return status
    }

    func initialize() -> OSStatus {
        if isInitialized { return noErr }
        for element in inputs {
            if case .unit(let source, let bus) = element.source, !source.outputs.indices.contains(bus) {
                return kAudioUnitErr_NoConnection
            }
        }
        copyFormats()
        let status = prepare()
        isInitialized = status == noErr
        return status
    }

    /// A connection gives the format of its source to its destination.
    func copyFormats() {
        for index in inputs.indices {
            if case .unit(let source, let bus) = inputs[index].source, source.outputs.indices.contains(bus) {
                inputs[index].format = source.outputs[bus].format
            }
        }
    }

    func uninitialize() -> OSStatus {
        if RenderContext.current != nil { return kAudioUnitErr_CannotDoInCurrentContext }
        closeOwn()
        isInitialized = false
        return noErr
    }

    /// The plan follows what has changed. The change is taken back by the caller where that cannot be.
    func changed() -> OSStatus { UnitFaults.status { try host?.sync() } }

    /// Leads a source to an input; what was there comes back where the plan refuses it.
    func setSource(_ source: Source, of input: Int) -> OSStatus {
        let former = inputs[input]
        inputs[input].source = source
        if case .unit(let unit, let bus) = source, !isInitialized { inputs[input].format = unit.outputs[bus].format }
        let status = changed()
        if status != noErr { inputs[input] = former }
        return status
    }

    /// True where sound of this unit comes back to `unit`.
    func isFed(by unit: UnitObject) -> Bool {
        self === unit
            || inputs.contains { if case .unit(let source, _) = $0.source { source.isFed(by: unit) } else { false } }
    }

    func tell(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
        guard let handle else { return }
        for listener in listeners where listener.id == id {
            listener.proc(listener.data ?? UnsafeMutableRawPointer(bitPattern: 1)!, handle, id, scope, element)
        }
    }

    /// What waited for a plan goes to the one that it has now.
    func settle() {
        if let preset = effect.preset { _ = setPreset(preset) }
        chooseInstrument()
        for event in sounds.waiting { _ = send(event) }
        sounds.waiting = []
    }

    /// Sends music so many frames after the start of the next slice, or on a sample time of its plan; before there is a plan it
    /// waits for one.
    func send(_ event: MusicEvent, after frames: Int = 0) -> OSStatus {
        guard let host else {
            if sounds.waiting.count == 4_096 { return kAudioUnitErr_Uninitialized }
            sounds.waiting.append(event)
            return noErr
        }
        return host.send(.music(event), to: self, after: frames)
    }
}

extension PCMLayout {
    static func planar(rate: Double, channels: Int) -> PCMLayout {
        let format = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, mBytesPerPacket: 4,
            mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 32, mReserved: 0)
        guard let layout = PCMLayout(format) else { preconditionFailure("a format of ours is linear PCM") }
        return layout
    }
}
