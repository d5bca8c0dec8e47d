import CoreAudioTypes
import Testing

@Suite struct CoreAudioTypesTests {
    @Test func constantsHaveTheValuesOfPublicBindings() {
        var count = 0
        CoreAudioTypesTable.forEach { name, value, fact in
            count += 1
            #expect(value == fact, "\(name)")
        }
        #expect(count > 250)
        // The cases of enumerations and option sets, which Swift names by Apple's rule.
        #expect(AudioTimeStampFlags([.sampleTimeValid, .hostTimeValid]) == .sampleHostTimeValid)
        #expect(AudioTimeStampFlags.smpteTimeValid.rawValue == 16 && SMPTETimeFlags.running.rawValue == 2)
        #expect(SMPTETimeType.type24.rawValue == 0 && SMPTETimeType.type2398.rawValue == 11)
        #expect(MPEG4ObjectID.AAC_LC.rawValue == 2 && MPEG4ObjectID.HVXC.rawValue == 9)
        #expect(AudioChannelBitmap.bit_CenterTopMiddle == .bit_TopCenterSurround)
        #expect(AudioChannelFlags.meters.rawValue == 4 && AudioChannelCoordinateIndex.coordinates_Distance.rawValue == 2)
    }

    @Test func structsLieAsApples() {
        typealias Sizes = (size: Int, stride: Int)
        func sizes<Value>(_: Value.Type) -> Sizes { (MemoryLayout<Value>.size, MemoryLayout<Value>.stride) }
        let table: [(Sizes, Int)] = [
            (sizes(AudioStreamBasicDescription.self), 40), (sizes(AudioBuffer.self), 16), (sizes(AudioBufferList.self), 24),
            (sizes(AudioTimeStamp.self), 64), (sizes(SMPTETime.self), 24), (sizes(AudioStreamPacketDescription.self), 16),
            (sizes(AudioClassDescription.self), 12), (sizes(AudioChannelDescription.self), 20),
            (sizes(AudioChannelLayout.self), 32), (sizes(AudioFormatListItem.self), 48), (sizes(AudioValueRange.self), 16),
            (sizes(DarwinBoolean.self), 1), (sizes(OSStatus.self), 4),
        ]
        for (found, size) in table { #expect(found.size == size && found.stride == size) }
        #expect(MemoryLayout<AudioStreamBasicDescription>.offset(of: \.mBytesPerPacket) == 16)
        #expect(MemoryLayout<AudioTimeStamp>.offset(of: \.mFlags) == 56)
        #expect(MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) == 8)
        #expect(MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) == 12)
    }

    @Test func descriptionsOfLinearPCMAreArithmetic() {
        var format = AudioStreamBasicDescription()
        FillOutASBDForLPCM(&format, 44_100, 2, 16, 16, false, true)
        #expect(format.mFormatID == kAudioFormatLinearPCM && format.mBytesPerFrame == 4 && format.mBytesPerPacket == 4)
        #expect(format.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked)
        #expect(format.mFramesPerPacket == 1 && format.mBitsPerChannel == 16 && !IsAudioFormatNativeEndian(format))
        FillOutASBDForLPCM(&format, 48_000, 6, 32, 32, true, false, true)
        #expect(format.mBytesPerFrame == 4 && format.mChannelsPerFrame == 6 && IsAudioFormatNativeEndian(format))
        #expect(format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0)
        FillOutASBDForLPCM(&format, 48_000, 2, 20, 32, false, false)
        #expect(format.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh)
        let fixed = kAudioFormatFlagIsSignedInteger | 24 << kLinearPCMFormatFlagsSampleFractionShift
        #expect((fixed & kLinearPCMFormatFlagsSampleFractionMask) >> kLinearPCMFormatFlagsSampleFractionShift == 24)
    }

    /// As the textbook and most programs print a code: bytes turned round, then read as characters.
    @Test(arguments: [
        (kAudioFormatLinearPCM, "lpcm"), (kAudioFormatMPEG4AAC, "aac "), (kAudioFormatAppleIMA4, "ima4"),
        (UInt32(bitPattern: kAudio_BadFilePathError), "!pth"),
    ])
    func codesPrintAsFourCharacters(_ code: UInt32, _ text: String) {
        var turned = CFSwapInt32HostToBig(code), bytes = [CChar](repeating: 0, count: 5)
        memcpy(&bytes, &turned, 4)
        #expect(String(decoding: bytes.prefix(4).map { UInt8(bitPattern: $0) }, as: UTF8.self) == text)
        #expect(code.fourCharacters == "'\(text)'")
    }

    @Test func aCodeWithoutCharactersIsANumber() {
        #expect(UInt32(bitPattern: kAudio_ParamError).fourCharacters == "-50" && UInt32(0).fourCharacters == "0")
    }

    @Test func bufferListsHoldAsManyBuffersAsTheySay() {
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 1) == 24 && AudioBufferList.sizeInBytes(maximumBuffers: 3) == 56)
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        #expect(list.count == 3 && list.allSatisfy { $0.mData == nil && $0.mDataByteSize == 0 })
        var samples: [Float] = [1, 2, 3, 4]
        samples.withUnsafeMutableBufferPointer { samples in
            list[2] = AudioBuffer(samples, numberOfChannels: 2)
            #expect(list[2].mDataByteSize == 16 && list[2].mNumberChannels == 2)
            #expect(UnsafeMutableBufferPointer<Float>(list[2]).elementsEqual([1, 2, 3, 4]))
            #expect(UnsafeBufferPointer<Int16>(list[2]).count == 8 && UnsafeBufferPointer<Float>(list[0]).isEmpty)
        }
        list.count = 1
        #expect(Array(list).count == 1 && list.unsafePointer.pointee.mNumberBuffers == 1)
        #expect(UnsafeMutableAudioBufferListPointer(nil as UnsafeMutablePointer<AudioBufferList>?) == nil)
    }

    @Test func tagsOfLayoutsTellTheirChannels() {
        let table: [(AudioChannelLayoutTag, UInt32)] = [
            (kAudioChannelLayoutTag_Mono, 1), (kAudioChannelLayoutTag_Stereo, 2), (kAudioChannelLayoutTag_MPEG_5_1_A, 6),
            (kAudioChannelLayoutTag_AudioUnit_7_1, 8), (kAudioChannelLayoutTag_TMH_10_2_full, 21),
            (kAudioChannelLayoutTag_DiscreteInOrder | 13, 13), (kAudioChannelLayoutTag_UseChannelBitmap, 0),
        ]
        for (tag, channels) in table { #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == channels) }
        let description = AudioChannelDescription(
            mChannelLabel: kAudioChannelLabel_LFEScreen, mChannelFlags: [], mCoordinates: (0, 0, 0))
        let layout = AudioChannelLayout(
            mChannelLayoutTag: kAudioChannelLayoutTag_UseChannelDescriptions, mChannelBitmap: [.bit_Left, .bit_Right],
            mNumberChannelDescriptions: 1, mChannelDescriptions: description)
        #expect(layout.mChannelDescriptions.mChannelLabel == 4 && layout.mChannelBitmap.rawValue == 3)
    }

    @Test func hostTimeIsNanoseconds() {
        let before = AudioGetCurrentHostTime(), ratio = UnsafeMutablePointer<mach_timebase_info_data_t>.allocate(capacity: 1)
        defer { ratio.deallocate() }
        ratio.initialize(to: mach_timebase_info_data_t())
        mach_timebase_info(ratio)
        usleep(2_000)
        let passed = AudioConvertHostTimeToNanos(mach_absolute_time() - before)
        #expect(ratio.pointee.numer == ratio.pointee.denom && passed >= 2_000_000 && passed < 5_000_000_000)
    }
}
