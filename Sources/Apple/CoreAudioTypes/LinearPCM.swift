/// The flags of linear PCM with this size and kind of sample.
public func CalculateLPCMFlags(
    _ inValidBitsPerChannel: UInt32, _ inTotalBitsPerChannel: UInt32, _ inIsFloat: Bool, _ inIsBigEndian: Bool,
    _ inIsNonInterleaved: Bool = false
) -> AudioFormatFlags {
    (inIsFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
        | (inIsBigEndian ? kAudioFormatFlagIsBigEndian : 0)
        | (inValidBitsPerChannel == inTotalBitsPerChannel ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
        | (inIsNonInterleaved ? kAudioFormatFlagIsNonInterleaved : 0)
}

/// Fills a description of linear PCM.
public func FillOutASBDForLPCM(
    _ outASBD: inout AudioStreamBasicDescription, _ inSampleRate: Float64, _ inChannelsPerFrame: UInt32,
    _ inValidBitsPerChannel: UInt32, _ inTotalBitsPerChannel: UInt32, _ inIsFloat: Bool, _ inIsBigEndian: Bool,
    _ inIsNonInterleaved: Bool = false
) {
    let channels = inIsNonInterleaved ? 1 : inChannelsPerFrame
    let frame = channels.multipliedReportingOverflow(by: inTotalBitsPerChannel / 8).partialValue
    outASBD = AudioStreamBasicDescription(
        mSampleRate: inSampleRate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: CalculateLPCMFlags(
            inValidBitsPerChannel, inTotalBitsPerChannel, inIsFloat, inIsBigEndian, inIsNonInterleaved),
        mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: inChannelsPerFrame,
        mBitsPerChannel: inValidBitsPerChannel, mReserved: 0)
}

/// Whether the bytes of linear PCM are in this machine's order.
public func IsAudioFormatNativeEndian(_ f: AudioStreamBasicDescription) -> Bool {
    f.mFormatID == kAudioFormatLinearPCM && f.mFormatFlags & kAudioFormatFlagIsBigEndian == kAudioFormatFlagsNativeEndian
}

extension UInt32 {
    /// Four printable characters in quotes, else the number: how error codes and format IDs are read.
    package var fourCharacters: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        return isText ? "'\(String(decoding: bytes, as: UTF8.self))'" : "\(Int32(bitPattern: self))"
    }
}
