internal import DSP
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// Adds up what is connected to it, each with its own volume and pan.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, SourceMixing {
    open override var numberOfInputs: Int { 128 }
    var sourceParameters: [(any UnitParameter, (MixingState) -> Float)] {
        [(MultichannelMixer.Parameter.gain, \.decibels), (MultichannelMixer.Parameter.pan, \.percent)]
    }

    /// 0...1, of the sum.
    open var outputVolume: Float {
        get { self[kMultiChannelMixerParam_Volume, kAudioUnitScope_Output] }
        set { self[kMultiChannelMixerParam_Volume, kAudioUnitScope_Output] = newValue }
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer) }
    override var chain: [AUAudioUnit] { [auAudioUnit] }

    open var nextAvailableInputBus: AVAudioNodeBus { freeInput }

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] { [Double(width(links))] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        try add(MultichannelMixer.self, to: &graph, links, ["volume": Decibels.level(ofAmplitude: outputVolume)])
    }
}
