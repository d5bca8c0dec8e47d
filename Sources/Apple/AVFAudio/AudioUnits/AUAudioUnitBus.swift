/// The side of a unit on which a bus is.
public enum AUAudioUnitBusType: Int, Sendable {
    case input = 1
    case output

    fileprivate var scope: AudioUnitScope { self == .input ? kAudioUnitScope_Input : kAudioUnitScope_Output }
}

/// A bus of a unit.
open class AUAudioUnitBus: NSObject {
    public private(set) weak var ownerAudioUnit: AUAudioUnit?
    public let busType: AUAudioUnitBusType
    public let index: Int
    /// Stored, for the program.
    open var name: String?
    private var scope: AudioUnitScope { busType.scope }

    fileprivate init(_ owner: AUAudioUnit?, _ busType: AUAudioUnitBusType, _ index: Int) {
        (ownerAudioUnit, self.busType, self.index) = (owner, busType, index)
    }

    /// Linear PCM of any layout.
    open var format: AVAudioFormat {
        var format = AVAudioFormat.standard(48_000, 2).streamDescription.pointee
        format = ownerAudioUnit?.read(kAudioUnitProperty_StreamFormat, format, scope, index) ?? format
        let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | format.mChannelsPerFrame)
        return AVAudioFormat(streamDescription: &format, channelLayout: format.mChannelsPerFrame > 2 ? layout : nil)
            ?? .standard(48_000, 2)
    }

    /// Throws `kAudioUnitErr_FormatNotSupported`, and `kAudioUnitErr_Initialized` once resources are allocated.
    open func setFormat(_ format: AVAudioFormat) throws {
        guard let ownerAudioUnit else { throw osError(kAudioComponentErr_InstanceInvalidated) }
        try check(ownerAudioUnit.write(kAudioUnitProperty_StreamFormat, format.streamDescription.pointee, scope, index))
    }

    /// Whether sound comes through a mixer's input; other buses are always enabled.
    open var isEnabled: Bool {
        get { enabling.map { $0.value != 0 } ?? true }
        set {
            if newValue != isEnabled, enabling == nil { Refusal.write("isEnabled: this bus cannot be disabled") }
            enabling?.value = newValue ? 1 : 0
        }
    }

    private var enabling: AUParameter? {
        guard ownerAudioUnit?.componentDescription.componentSubType == kAudioUnitSubType_MultiChannelMixer else { return nil }
        return ownerAudioUnit?.parameterTree?.parameter(
            withID: kMultiChannelMixerParam_Enable, scope: scope, element: AudioUnitElement(index))
    }
}

/// The buses of one side of a unit.
open class AUAudioUnitBusArray: NSObject {
    public private(set) weak var ownerAudioUnit: AUAudioUnit?
    public let busType: AUAudioUnitBusType
    private var buses: [AUAudioUnitBus] = []
    private var scope: AudioUnitScope { busType.scope }

    init(_ owner: AUAudioUnit, _ busType: AUAudioUnitBusType) { (ownerAudioUnit, self.busType) = (owner, busType) }

    open var count: Int { Int(ownerAudioUnit?.read(kAudioUnitProperty_ElementCount, UInt32(0), scope, 0) ?? 0) }
    open var isCountChangeable: Bool {
        ownerAudioUnit?.componentDescription.componentType == kAudioUnitType_Mixer && busType == .input
    }

    /// Changes the number of a mixer's inputs, 1...512, while no resources are allocated.
    open func setBusCount(_ count: Int) throws {
        guard let ownerAudioUnit else { throw osError(kAudioComponentErr_InstanceInvalidated) }
        try check(ownerAudioUnit.write(kAudioUnitProperty_ElementCount, UInt32(clamping: count), scope, 0))
        Control.run { ownerAudioUnit.tree = AUParameterTree(of: ownerAudioUnit.unit) }
    }

    /// A bus; one that is not there says so when it is asked for something.
    open subscript(index: Int) -> AUAudioUnitBus {
        Control.run {
            if let bus = buses.first(where: { $0.index == index }) { return bus }
            let bus = AUAudioUnitBus(ownerAudioUnit, busType, index)
            if index < 0 || index >= count { Refusal.write("busses: there is no bus \(index)") }
            buses.append(bus)
            return bus
        }
    }
}
