// [render]

/// The sound that a channel asks for, after the rules of its standard have been applied: bank and program, or a drum kit.
@frozen public struct PresetRequest: Hashable, BitwiseCopyable, Sendable, Comparable {
    /// Bits 0...6 program, bits 7...13 bank; 16 384 and more are drum kits, with their banks; 32 768 and more are melodic
    /// presets whose bank controller 32 alone has named.
    public let code: Int32

    /// The number of codes: 128 banks of melodic presets, as many of kits, as many by controller 32 alone; 128 programs each.
    public static var codes: Int { @_noLocks get { 384 * 128 } }
    /// Every request, in order of the codes.
    package static var all: [PresetRequest] { (0..<codes).compactMap { PresetRequest(code: $0) } }

    /// Creates a melodic preset: bank and program 0...127.
    @_noLocks public init(bank: UInt8, program: UInt8) {
        code = Int32(bank & 127) &* 128 &+ Int32(program & 127)
    }

    /// A drum kit, 0...127. `bank`: one in which a SoundFont with a bank offset may have it; 0 means any.
    @_noLocks public init(kit: UInt8, bank: UInt8 = 0) {
        code = (128 &+ Int32(bank & 127)) &* 128 &+ Int32(kit & 127)
    }

    /// Creates a melodic preset of the bank that controller 32 alone has named: it plays where SoundFonts have it, otherwise the
    /// program of bank 0. `lowerBank` and program 0...127.
    @_noLocks package init(lowerBank: UInt8, program: UInt8) {
        let bank = lowerBank & 127 == 0 ? 0 : 256 &+ Int32(lowerBank & 127)
        code = bank &* 128 &+ Int32(program & 127)
    }

    /// The request of this code; nil for an invalid number.
    public init?(code: Int) {
        guard (0..<Self.codes).contains(code) else { return nil }
        self.code = Int32(code)
    }

    /// True if a drum kit is meant.
    public var isDrums: Bool { @_noLocks get { code >= 128 &* 128 && !isByLowerBank } }
    /// True if controller 32 alone has named the bank.
    package var isByLowerBank: Bool { @_noLocks get { code >= 256 &* 128 } }
    /// 0...127, or 128 for kits, as SoundFonts number them.
    public var bank: Int { @_noLocks get { isDrums ? 128 : Int(code &>> 7 & 127) } }
    /// 0...127.
    public var program: Int { @_noLocks get { Int(code & 127) } }

    @_noLocks public static func < (a: PresetRequest, b: PresetRequest) -> Bool { a.code < b.code }
}

extension PresetRequest: CustomStringConvertible {
    /// `bank 8 program 40`, `drum kit 16`; counted from 0 as the bytes are.
    public var description: String { isDrums ? "drum kit \(program)" : "bank \(bank) program \(program)" }
}
