import AudioToolbox
import Testing

@Suite struct AudioFormatTests {
    @Test func aDescriptionIsCompleted() {
        var format = AudioStreamBasicDescription(), size: UInt32 = 40
        (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (44_100, kAudioFormatAppleIMA4, 2)
        #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format) == noErr)
        #expect(format.mFramesPerPacket == 64 && format.mBytesPerPacket == 68)
        format.mFormatID = kAudioFormatMPEG4AAC
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format)
                == kAudioFormatUnsupportedDataFormatError)
        size = 39
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format) == kAudioFormatBadPropertySizeError)
    }

    @Test func layoutsAndTagsAnswerForEachOther() throws {
        var tags: [(AudioChannelLayoutTag, UInt32)] = [
            (kAudioChannelLayoutTag_Stereo, 2), (kAudioChannelLayoutTag_MPEG_5_1_A, 6), (kAudioChannelLayoutTag_AAC_Octagonal, 8),
        ]
        for (tag, channels) in tags {
            var asked = tag, size: UInt32 = 0, found: UInt32 = 0
            #expect(AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, 4, &asked, &size) == noErr)
            #expect(size == 12 + 20 * channels)
            var layout = [UInt8](repeating: 0, count: Int(size)), small: UInt32 = 4
            #expect(AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, 4, &asked, &size, &layout) == noErr)
            #expect(
                AudioFormatGetProperty(kAudioFormatProperty_TagForChannelLayout, size, layout, &small, &found) == noErr
                    && found == tag)
            #expect(
                AudioFormatGetProperty(kAudioFormatProperty_NumberOfChannelsForLayout, size, layout, &small, &found) == noErr
                    && found == channels)
            #expect(AudioFormatGetProperty(kAudioFormatProperty_ValidateChannelLayout, size, layout, nil, nil) == noErr)
            #expect(
                AudioFormatGetProperty(kAudioFormatProperty_TagForChannelLayout, 11, layout, &small, &found)
                    == kAudioFormatBadSpecifierSizeError)
        }
        tags = []
        var tag = kAudioChannelLayoutTag_MPEG_5_1_A, bitmap: UInt32 = 0, size: UInt32 = 4
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_BitmapForLayoutTag, 4, &tag, &size, &bitmap) == noErr && bitmap == 0x3F)
        var count: UInt32 = 2, found = [UInt32](repeating: 0, count: 50)
        size = 200
        #expect(AudioFormatGetProperty(kAudioFormatProperty_TagsForNumberOfChannels, 4, &count, &size, &found) == noErr)
        #expect(found.prefix(Int(size) / 4).contains(kAudioChannelLayoutTag_Stereo))
    }

    @Test func formatsHaveNamesAndKinds() throws {
        var format = pcm(16, integer), name: Unmanaged<CFString>?, size: UInt32 = 8, flag: UInt32 = 9,
            ids = [UInt32](repeating: 0, count: 40)
        #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatName, 40, &format, &size, &name) == noErr)
        #expect(try #require(name?.takeRetainedValue()) as String == "Linear PCM, 16 bit little-endian signed integer")
        size = 4
        #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, 40, &format, &size, &flag) == noErr && flag == 0)
        format.mFormatID = kAudioFormatMPEGLayer3
        #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, 40, &format, &size, &flag) == noErr && flag == 1)
        size = 160
        #expect(AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size, &ids) == noErr)
        #expect(ids.contains(kAudioFormatAppleLossless) && !ids.contains(kAudioFormatMPEG4AAC))
        #expect(AudioFormatGetProperty(0x6162_6364, 0, nil, &size, &ids) == kAudioFormatUnsupportedPropertyError)
    }
}
