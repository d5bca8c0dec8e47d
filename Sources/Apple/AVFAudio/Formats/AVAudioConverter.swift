/// The state of the input of a converter, as its block says.
public enum AVAudioConverterInputStatus: Int, Sendable { case haveData, noDataNow, endOfStream }
/// What came of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable { case haveData, inputRanDry, endOfStream, error }
/// Gives the next buffer of a converter's input, of at most so many packets, and says whether it has one.
public typealias AVAudioConverterInputBlock = (AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>) ->
    AVAudioBuffer?

/// Converts linear PCM: samples, interleaving, channels, rate.
open class AVAudioConverter: NSObject {
    public let inputFormat: AVAudioFormat
    public let outputFormat: AVAudioFormat
    private let handle: AudioConverterRef
    /// The input has ended; the converter asks for no more.
    private var isAtEnd = false
    /// For each channel that comes out the one it is of, or -1 for silence.
    open var channelMap: [NSNumber] {
        didSet { set(kAudioConverterChannelMap, channelMap.map { Int32(truncatingIfNeeded: $0.intValue) }) }
    }
    /// Stored, and without effect on linear PCM.
    open var downmix = false
    open var dither = false
    open var primeMethod = AVAudioConverterPrimeMethod.normal
    open var sampleRateConverterAlgorithm: String? = AVSampleRateConverterAlgorithm_Normal
    /// A value of `AVAudioQuality`.
    open var sampleRateConverterQuality = AVAudioQuality.high.rawValue {
        didSet { set(kAudioConverterSampleRateConverterQuality, [UInt32(clamping: sampleRateConverterQuality)]) }
    }

    private func set<Value: BitwiseCopyable>(_ property: AudioConverterPropertyID, _ values: [Value]) {
        Refusal.write(AudioConverterSetProperty(handle, property, UInt32(4 * values.count), values), "AVAudioConverter")
    }

    /// A converter; nil between formats that cannot be converted.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        var made: AudioConverterRef?
        guard AudioConverterNew(fromFormat.streamDescription, toFormat.streamDescription, &made) == noErr, let made else {
            return nil
        }
        (handle, inputFormat, outputFormat) = (made, fromFormat, toFormat)
        channelMap = (0..<Int(toFormat.channelCount)).map { NSNumber(value: min($0, Int(fromFormat.channelCount) - 1)) }
    }

    deinit { AudioConverterDispose(handle) }

    /// Forgets what was not given out yet.
    open func reset() {
        AudioConverterReset(handle)
        isAtEnd = false
    }

    /// Converts one buffer, at one rate.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        guard inputBuffer.format.isLike(inputFormat), outputBuffer.format.isLike(outputFormat) else {
            throw osError(kAudioConverterErr_FormatNotSupported)
        }
        guard outputBuffer.frameCapacity >= inputBuffer.frameLength else { throw osError(kAudioConverterErr_InvalidOutputSize) }
        if inputBuffer.frameLength > 0 {
            try check(
                AudioConverterConvertComplexBuffer(
                    handle, inputBuffer.frameLength, inputBuffer.audioBufferList, outputBuffer.mutableAudioBufferList))
        }
        outputBuffer.frameLength = inputBuffer.frameLength
    }

    /// Converts what the block gives, until the buffer is full, the block has none now, or none any more.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer, withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        guard let output = outputBuffer as? AVAudioPCMBuffer, output.format.isLike(outputFormat) else {
            outError?.pointee = osError(kAudioConverterErr_FormatNotSupported)
            return .error
        }
        return withoutActuallyEscaping(inputBlock) { block in
            let input = ConverterInput(block, inputFormat)
            var frames = output.frameCapacity
            let status = AudioConverterFillComplexBuffer(
                handle, ConverterInput.ask, Unmanaged.passUnretained(input).toOpaque(), &frames, output.mutableAudioBufferList,
                nil)
            output.frameLength = frames
            if status == ConverterInput.ranDry { return .inputRanDry }
            if status != noErr {
                outError?.pointee = osError(status)
                return .error
            }
            isAtEnd = isAtEnd || input.isAtEnd
            return frames == 0 && isAtEnd ? .endOfStream : .haveData
        }
    }
}

extension AVAudioConverter {
    /// What one buffer becomes, and how the input is then.
    func convert(_ buffer: AVAudioPCMBuffer, room: Int, _ rest: AVAudioConverterInputStatus) -> AVAudioPCMBuffer? {
        let result = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: AVAudioFrameCount(clamping: room))
        guard let result else { return nil }
        var isUsed = false
        convert(to: result, error: nil) { _, state in
            state.pointee = isUsed ? rest : .haveData
            defer { isUsed = true }
            return isUsed ? nil : buffer
        }
        return result
    }
}

/// The block of one conversion, as the C function's callback asks it.
private final class ConverterInput {
    /// No data now: comes back as the function's result.
    static let ranDry: OSStatus = 0x6472_7921
    private let block: AVAudioConverterInputBlock
    private let format: AVAudioFormat
    /// The buffer that is being converted.
    private var buffer: AVAudioPCMBuffer?
    private(set) var isAtEnd = false

    init(_ block: @escaping AVAudioConverterInputBlock, _ format: AVAudioFormat) { (self.block, self.format) = (block, format) }

    static let ask: AudioConverterComplexInputDataProc = { _, packets, list, _, userData in
        guard let userData else { return kAudio_ParamError }
        return Unmanaged<ConverterInput>.fromOpaque(userData).takeUnretainedValue().give(packets, list)
    }

    private func give(_ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        var state = AVAudioConverterInputStatus.haveData
        let given = block(packets.pointee, &state)
        packets.pointee = 0
        if state == .endOfStream {
            isAtEnd = true
            return noErr
        }
        guard state == .haveData, let given else { return Self.ranDry }
        guard let pcm = given as? AVAudioPCMBuffer, pcm.format.isLike(format) else {
            return kAudioConverterErr_FormatNotSupported
        }
        if pcm.frameLength == 0 { return Self.ranDry }
        buffer = pcm
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: pcm.audioBufferList))
        let target = UnsafeMutableAudioBufferListPointer(list)
        target.count = source.count
        for index in source.indices { target[index] = source[index] }
        packets.pointee = pcm.frameLength
        return noErr
    }
}
