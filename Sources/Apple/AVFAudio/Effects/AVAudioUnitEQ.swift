internal import EngineCore
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// What a band of an equaliser does.
public enum AVAudioUnitEQFilterType: Int, Sendable {
    case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop, lowShelf, highShelf,
        resonantLowShelf, resonantHighShelf

    /// The number of the engine's type; 0, off, for a band-pass, which the engine's equaliser has not.
    fileprivate var number: Float {
        switch self {
        case .parametric: 1
        case .lowShelf, .resonantLowShelf: 2
        case .highShelf, .resonantHighShelf: 3
        case .lowPass, .resonantLowPass: 4
        case .highPass, .resonantHighPass: 5
        case .bandStop: 6
        case .bandPass: 0
        }
    }

    fileprivate var followsBandwidth: Bool {
        switch self {
        case .lowPass, .highPass, .lowShelf, .highShelf: false
        default: true
        }
    }
}

/// One band of an equaliser; off until `bypass` is false.
open class AVAudioUnitEQFilterParameters: NSObject {
    fileprivate weak var owner: AVAudioUnitEQ?
    fileprivate let index: Int

    fileprivate init(_ owner: AVAudioUnitEQ, _ index: Int) { (self.owner, self.index) = (owner, index) }

    open var filterType = AVAudioUnitEQFilterType.parametric {
        didSet {
            if filterType == .bandPass { Refusal.write("AVAudioUnitEQ: a band-pass is not available; the band is off") }
            change()
        }
    }
    /// Hertz, 20 to half the rate.
    open var frequency: Float = 1_000 { didSet { change() } }
    /// Octaves, 0.05...5.
    open var bandwidth: Float = 0.5 { didSet { change() } }
    /// Decibels, -96...24; below -24 as -24.
    open var gain: Float = 0 { didSet { change() } }
    open var bypass = true { didSet { change() } }

    private func change() { owner?.change(index) }

    fileprivate var values: (type: Float, frequency: Float, gain: Float, quality: Float) {
        let octaves = max(0.05, min(5, bandwidth))
        let quality = filterType.followsBandwidth ? 1 / (2 * sinh(0.346_573_6 * octaves)) : 0.707_106_8
        return (
            bypass ? 0 : filterType.number, max(20, min(20_000, frequency)), max(-24, min(24, gain)),
            max(0.1, min(18, quality))
        )
    }
}

/// An equaliser of any number of bands.
open class AVAudioUnitEQ: AVAudioUnitEffect {
    /// The bands, in their order.
    public private(set) var bands: [AVAudioUnitEQFilterParameters] = []
    /// Decibels, -96...24 of all of it; as -60...12.
    open var globalGain: Float = 0 { didSet { set(Equalizer.Parameter.level, level) } }

    private static let perUnit = 8
    private var level: Float { max(-60, min(12, globalGain)) }

    public override convenience init() { self.init(numberOfBands: 1) }

    public init(numberOfBands: Int) {
        super.init()
        bands = (0..<max(0, numberOfBands)).map { AVAudioUnitEQFilterParameters(self, $0) }
    }

    fileprivate func change(_ index: Int) {
        let values = bands[index].values, (unit, band) = index.quotientAndRemainder(dividingBy: Self.perUnit)
        set(Equalizer.Parameter.type, values.type, element: band, unit: unit)
        set(Equalizer.Parameter.frequency, values.frequency, element: band, unit: unit)
        set(Equalizer.Parameter.gain, values.gain, element: band, unit: unit)
        set(Equalizer.Parameter.quality, values.quality, element: band, unit: unit)
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        var units: [NodeID] = []
        for first in stride(from: 0, to: max(1, bands.count), by: Self.perUnit) {
            let values = (first..<first + Self.perUnit).map { $0 < bands.count ? bands[$0].values : (0, 1_000, 0, 0.707_106_8) }
            var setup = UnitSetup(
                sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames, startValues: ["level": first == 0 ? level : 0])
            setup.elementValues = [
                "type": values.map(\.0), "frequency": values.map(\.1), "gain": values.map(\.2), "q": values.map(\.3),
            ]
            let unit: UnitInstance
            do throws(UnitError) { unit = try UnitInstance.make(Equalizer.self, setup) } catch { throw Fault(error) }
            units.append(try graph.add(unit))
        }
        return units
    }
}
