internal import DSP
internal import EngineCore
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// Adds up what is connected to it, each with its own volume and pan.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    private static let limit = 128

    open override var numberOfInputs: Int { Self.limit }

    /// 0...1, of the sum.
    open var outputVolume: Float {
        get { self[kMultiChannelMixerParam_Volume, kAudioUnitScope_Output] }
        set { self[kMultiChannelMixerParam_Volume, kAudioUnitScope_Output] = newValue }
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer) }
    override var chain: [AUAudioUnit] { [auAudioUnit] }

    /// The first input bus that nothing leads to.
    open var nextAvailableInputBus: AVAudioNodeBus {
        Control.run {
            let taken = Set((owner?.links ?? []).filter { $0.isTo(self) }.map(\.destinationBus))
            return (0..<Self.limit).first { !taken.contains($0) } ?? Self.limit
        }
    }

    /// Inputs: a power of two, so that it is seldom made anew.
    private func width(_ links: [NodeLink]) -> Int {
        let last = links.filter { $0.isTo(self) }.map(\.destinationBus).max() ?? 0
        var width = 8
        while width <= last { width *= 2 }
        return width
    }

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] { [Double(width(links))] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        var setup = UnitSetup(
            sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames, inputCount: width(links),
            startValues: ["volume": max(-120, Decibels.level(ofAmplitude: outputVolume))])
        let sources = (0..<setup.inputCount).map { mixedSource(of: $0, links)?.mixing ?? MixingState() }
        setup.elementValues = ["gain": sources.map(\.decibels), "pan": sources.map(\.percent)]
        do {
            return [try graph.add(try UnitInstance.make(MultichannelMixer.self, setup))]
        } catch let error as UnitError { throw Fault(error) } catch let error as Fault { throw error } catch { return [] }
    }
}
