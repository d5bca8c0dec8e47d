internal import SampleRate

/// What a property of a converter is: its size in bytes, and whether it can be set.
private func info(_ property: AudioConverterPropertyID, _ converter: ConverterObject) -> (size: UInt32, isWritable: Bool)? {
    switch property {
    case kAudioConverterCurrentInputStreamDescription, kAudioConverterCurrentOutputStreamDescription: (40, false)
    case kAudioConverterChannelMap: (UInt32(4 * converter.pipe.output.channels), true)
    case kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMinimumOutputBufferSize,
        kAudioConverterPropertyMaximumInputPacketSize, kAudioConverterPropertyMaximumOutputPacketSize,
        kAudioConverterPropertyCalculateInputBufferSize, kAudioConverterPropertyCalculateOutputBufferSize:
        (4, false)
    case kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity, kAudioConverterPrimeMethod:
        (4, true)
    case kAudioConverterPrimeInfo: (8, false)
    default: nil
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        guard let info = info(inPropertyID, converter) else { return kAudioConverterErr_PropertyNotSupported }
        outSize?.pointee = info.size
        outWritable?.pointee = DarwinBoolean(info.isWritable)
        return noErr
    }
}

/// Reads a property. The two that calculate a buffer's size take the other side's size in the same memory.
@discardableResult public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    func give<Value>(_ value: Value) -> OSStatus {
        PropertyMemory.give(value, ioPropertyDataSize, outPropertyData, tooSmall: kAudioConverterErr_BadPropertySizeError)
    }
    return Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        let input = converter.pipe.input, output = converter.pipe.output
        func calculate(_ from: PCMLayout, _ to: PCMLayout) -> OSStatus {
            guard let size = PropertyMemory.take(UInt32.self, ioPropertyDataSize.pointee, outPropertyData) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            let ratio = from.rate > 0 ? to.rate / from.rate : 1
            let frames = (Double(Int(size) / from.bytesPerFrame) * ratio).rounded(.up)
            return give(UInt32(clamping: Int(frames) * to.bytesPerFrame))
        }
        switch inPropertyID {
        case kAudioConverterCurrentInputStreamDescription: return give(input.description)
        case kAudioConverterCurrentOutputStreamDescription: return give(output.description)
        case kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMaximumInputPacketSize:
            return give(UInt32(input.bytesPerFrame))
        case kAudioConverterPropertyMinimumOutputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize:
            return give(UInt32(output.bytesPerFrame))
        case kAudioConverterPropertyCalculateInputBufferSize: return calculate(output, input)
        case kAudioConverterPropertyCalculateOutputBufferSize: return calculate(input, output)
        case kAudioConverterSampleRateConverterQuality: return give(converter.quality)
        case kAudioConverterSampleRateConverterComplexity: return give(converter.complexity)
        case kAudioConverterPrimeMethod: return give(converter.primeMethod)
        case kAudioConverterPrimeInfo: return give(AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
        case kAudioConverterChannelMap:
            let map = converter.pipe.map.map { Int32($0 ?? -1) }
            return PropertyMemory.give(
                array: map, ioPropertyDataSize, outPropertyData, tooSmall: kAudioConverterErr_BadPropertySizeError)
        default: return kAudioConverterErr_PropertyNotSupported
        }
    }
}

/// Sets a property: channel map, quality and complexity of the change of rate, prime method (which changes nothing).
@discardableResult public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        guard let info = info(inPropertyID, converter) else { return kAudioConverterErr_PropertyNotSupported }
        guard info.isWritable else { return kAudioConverterErr_OperationNotSupported }
        guard inPropertyDataSize == info.size, let value = PropertyMemory.take(UInt32.self, inPropertyDataSize, inPropertyData)
        else {
            return kAudioConverterErr_BadPropertySizeError
        }
        switch inPropertyID {
        case kAudioConverterChannelMap:
            var map = [Int32](repeating: 0, count: converter.pipe.output.channels)
            map.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(start: inPropertyData, count: $0.count)) }
            guard map.allSatisfy({ $0 < converter.pipe.input.channels }) else { return kAudio_ParamError }
            converter.pipe.map = map.map { $0 < 0 ? nil : Int($0) }
        case kAudioConverterSampleRateConverterQuality:
            converter.quality = value
            converter.pipe.quality =
                value <= kAudioConverterQuality_Low ? .medium : value < kAudioConverterQuality_Max ? .high : .veryHigh
        case kAudioConverterSampleRateConverterComplexity:
            converter.complexity = value
            if value == kAudioConverterSampleRateConverterComplexity_Mastering { converter.pipe.quality = .veryHigh }
        default: converter.primeMethod = value
        }
        return noErr
    }
}
