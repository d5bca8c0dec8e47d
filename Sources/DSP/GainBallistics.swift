// [render]

/// The way of a compressor's reduction to the one that its curve gives: fast down, slowly back.
///
/// The smooth decoupled detector of Giannoulis, Massberg and Reiss (see `CompressionCurve`), in decibels after the curve: a
/// value that holds the peaks and falls with the release goes through a low-pass of the attack. So the reduction is as deep
/// as for the peaks of a tone, for any release.
public struct GainBallistics: BitwiseCopyable {
    /// Below this a reduction is none: one that is not audible must not keep a unit awake for ever. Unit: decibels.
    private static var nothing: Double { @_noLocks get { 5e-4 } }

    private var held = 0.0
    /// The reduction. Unit: decibels.
    public private(set) var reduction = 0.0

    /// No reduction.
    @_noLocks public init() {}

    /// True while there is a reduction, or one on its way.
    public var isActive: Bool { @_noLocks get { held > 0 || reduction > 0 } }

    /// Returns the share of the way that is made per frame if two thirds of it (exactly 1 - 1 / e) take `seconds`.
    @_noLocks public static func share(seconds: Double, sampleRate: Double) -> Double {
        1 - DeterministicMath.exp2(-1.4426950408889634 / (seconds * sampleRate))    // 1 / ln 2
    }

    /// Returns the reduction of the frame for whose level the curve gives `wanted`; `attack` and `release` are shares.
    @_noLocks public mutating func next(_ wanted: Double, attack: Double, release: Double) -> Double {
        held += (wanted - held) * release
        if held < wanted { held = wanted }
        if wanted == 0 && held < Self.nothing { held = 0 }
        reduction += (held - reduction) * attack
        if held == 0 && reduction < Self.nothing { reduction = 0 }
        return reduction
    }
}
