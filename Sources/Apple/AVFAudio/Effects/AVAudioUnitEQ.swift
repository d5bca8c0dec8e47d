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

    fileprivate var followsBandwidth: Bool { ![.lowPass, .highPass, .lowShelf, .highShelf].contains(self) }
}

/// One band of an equaliser; off until `bypass` is false.
open class AVAudioUnitEQFilterParameters: NSObject {
    private weak var owner: AVAudioUnitEQ?
    /// Its unit of the chain, and its band there.
    private let unit: Int, band: Int

    fileprivate init(_ owner: AVAudioUnitEQ, _ index: Int) {
        self.owner = owner
        (unit, band) = index.quotientAndRemainder(dividingBy: AVAudioUnitEQ.perUnit)
    }

    open var filterType = AVAudioUnitEQFilterType.parametric {
        didSet {
            if filterType == .bandPass { Refusal.write("AVAudioUnitEQ: a band-pass is not available; the band is off") }
            applyType()
        }
    }
    open var bypass = true { didSet { applyType() } }
    /// Hertz, 20 to half the rate.
    open var frequency: Float {
        get { self[kAUNBandEQParam_Frequency] }
        set { self[kAUNBandEQParam_Frequency] = newValue }
    }
    /// Octaves, 0.05...5.
    open var bandwidth: Float {
        get { self[kAUNBandEQParam_Bandwidth] }
        set {
            self[kAUNBandEQParam_Bandwidth] = newValue
            applyType()
        }
    }
    /// Decibels, -96...24; below -24 as -24.
    open var gain: Float {
        get { self[kAUNBandEQParam_Gain] }
        set { self[kAUNBandEQParam_Gain] = newValue }
    }

    private subscript(id: AudioUnitParameterID) -> Float {
        get { owner?[id + UInt32(band), unit: unit] ?? 0 }
        set { owner?[id + UInt32(band), unit: unit] = newValue }
    }

    fileprivate func applyType() {
        let octaves = max(0.05, min(5, bandwidth))
        let quality = filterType.followsBandwidth ? 1 / (2 * sinh(0.346_573_6 * octaves)) : 0.707_106_8
        owner?.adjust(Equalizer.Parameter.type, bypass ? 0 : filterType.number, element: band, unit: unit)
        owner?.adjust(Equalizer.Parameter.quality, quality, element: band, unit: unit)
    }
}

/// An equaliser of any number of bands, which its audio unit has eight of: further ones are further units.
open class AVAudioUnitEQ: AVAudioUnitEffect {
    fileprivate static let perUnit = 8
    /// The bands, in their order.
    public private(set) var bands: [AVAudioUnitEQFilterParameters] = []
    private var further: [AUAudioUnit] = []
    /// Decibels, -96...24 of all of it; as -60...12.
    open var globalGain: Float {
        get { self[kAUNBandEQParam_GlobalGain] }
        set { self[kAUNBandEQParam_GlobalGain] = newValue }
    }

    public override convenience init() { self.init(numberOfBands: 1) }

    public init(numberOfBands: Int) {
        super.init()
        let count = max(1, numberOfBands), units = (count + Self.perUnit - 1) / Self.perUnit
        further = (1..<max(1, units)).map { _ in .standing(for: unitDescription) }
        bands = (0..<max(0, numberOfBands)).map { AVAudioUnitEQFilterParameters(self, $0) }
        for band in 0..<units * Self.perUnit {
            adjust(Equalizer.Parameter.type, 0, element: band % Self.perUnit, unit: band / Self.perUnit)
        }
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ) }
    override var chain: [AUAudioUnit] { [auAudioUnit] + further }
}
