/// The channels of the layouts that have a tag, in order.
enum SpeakerLabels {
    /// What documentation calls the channels.
    private static let codes: [Substring: AudioChannelLabel] = [
        "L": kAudioChannelLabel_Left, "R": kAudioChannelLabel_Right, "C": kAudioChannelLabel_Center,
        "LFE": kAudioChannelLabel_LFEScreen, "Ls": kAudioChannelLabel_LeftSurround, "Rs": kAudioChannelLabel_RightSurround,
        "Lc": kAudioChannelLabel_LeftCenter, "Rc": kAudioChannelLabel_RightCenter, "Cs": kAudioChannelLabel_CenterSurround,
        "Ts": kAudioChannelLabel_TopCenterSurround, "Vhl": kAudioChannelLabel_VerticalHeightLeft,
        "Vhc": kAudioChannelLabel_VerticalHeightCenter, "Vhr": kAudioChannelLabel_VerticalHeightRight,
        "Rls": kAudioChannelLabel_RearSurroundLeft, "Rrs": kAudioChannelLabel_RearSurroundRight,
        "Lw": kAudioChannelLabel_LeftWide, "Rw": kAudioChannelLabel_RightWide, "Lt": kAudioChannelLabel_LeftTotal,
        "Rt": kAudioChannelLabel_RightTotal, "M": kAudioChannelLabel_Mono,
        "W": kAudioChannelLabel_Ambisonic_W, "X": kAudioChannelLabel_Ambisonic_X, "Y": kAudioChannelLabel_Ambisonic_Y,
        "Z": kAudioChannelLabel_Ambisonic_Z, "Mid": kAudioChannelLabel_MS_Mid, "Side": kAudioChannelLabel_MS_Side,
        "Hl": kAudioChannelLabel_HeadphonesLeft, "Hr": kAudioChannelLabel_HeadphonesRight,
    ]

    private static let texts: [(AudioChannelLayoutTag, String)] = [
        (kAudioChannelLayoutTag_Mono, "M"), (kAudioChannelLayoutTag_Stereo, "L R"),
        (kAudioChannelLayoutTag_StereoHeadphones, "Hl Hr"), (kAudioChannelLayoutTag_MatrixStereo, "Lt Rt"),
        (kAudioChannelLayoutTag_MidSide, "Mid Side"), (kAudioChannelLayoutTag_Ambisonic_B_Format, "W X Y Z"),
        (kAudioChannelLayoutTag_Quadraphonic, "L R Ls Rs"), (kAudioChannelLayoutTag_Pentagonal, "L R Ls Rs C"),
        (kAudioChannelLayoutTag_Hexagonal, "L R Ls Rs C Cs"), (kAudioChannelLayoutTag_Octagonal, "L R Ls Rs C Cs Lw Rw"),
        (kAudioChannelLayoutTag_MPEG_3_0_A, "L R C"), (kAudioChannelLayoutTag_MPEG_3_0_B, "C L R"),
        (kAudioChannelLayoutTag_MPEG_4_0_A, "L R C Cs"), (kAudioChannelLayoutTag_MPEG_4_0_B, "C L R Cs"),
        (kAudioChannelLayoutTag_MPEG_5_0_A, "L R C Ls Rs"), (kAudioChannelLayoutTag_MPEG_5_0_B, "L R Ls Rs C"),
        (kAudioChannelLayoutTag_MPEG_5_0_C, "L C R Ls Rs"), (kAudioChannelLayoutTag_MPEG_5_0_D, "C L R Ls Rs"),
        (kAudioChannelLayoutTag_MPEG_5_1_A, "L R C LFE Ls Rs"), (kAudioChannelLayoutTag_MPEG_5_1_B, "L R Ls Rs C LFE"),
        (kAudioChannelLayoutTag_MPEG_5_1_C, "L C R Ls Rs LFE"), (kAudioChannelLayoutTag_MPEG_5_1_D, "C L R Ls Rs LFE"),
        (kAudioChannelLayoutTag_MPEG_6_1_A, "L R C LFE Ls Rs Cs"), (kAudioChannelLayoutTag_MPEG_7_1_A, "L R C LFE Ls Rs Lc Rc"),
        (kAudioChannelLayoutTag_MPEG_7_1_B, "C Lc Rc L R Ls Rs LFE"),
        (kAudioChannelLayoutTag_MPEG_7_1_C, "L R C LFE Ls Rs Rls Rrs"),
        (kAudioChannelLayoutTag_ITU_2_1, "L R Cs"), (kAudioChannelLayoutTag_ITU_2_2, "L R Ls Rs"),
        (kAudioChannelLayoutTag_DVD_4, "L R LFE"), (kAudioChannelLayoutTag_DVD_5, "L R LFE Cs"),
        (kAudioChannelLayoutTag_DVD_6, "L R LFE Ls Rs"), (kAudioChannelLayoutTag_DVD_10, "L R C LFE"),
        (kAudioChannelLayoutTag_DVD_11, "L R C LFE Cs"), (kAudioChannelLayoutTag_DVD_18, "L R Ls Rs LFE"),
        (kAudioChannelLayoutTag_AudioUnit_6_0, "L R Ls Rs C Cs"), (kAudioChannelLayoutTag_AudioUnit_7_0, "L R Ls Rs C Rls Rrs"),
        (kAudioChannelLayoutTag_AudioUnit_7_0_Front, "L R Ls Rs C Lc Rc"), (kAudioChannelLayoutTag_AAC_6_0, "C L R Ls Rs Cs"),
        (kAudioChannelLayoutTag_AAC_6_1, "C L R Ls Rs Cs LFE"), (kAudioChannelLayoutTag_AAC_7_0, "C L R Ls Rs Rls Rrs"),
        (kAudioChannelLayoutTag_AAC_Octagonal, "C L R Ls Rs Rls Rrs Cs"), (kAudioChannelLayoutTag_WAVE_4_0_B, "L R Rls Rrs"),
        (kAudioChannelLayoutTag_WAVE_5_0_B, "L R C Rls Rrs"), (kAudioChannelLayoutTag_WAVE_5_1_B, "L R C LFE Rls Rrs"),
        (kAudioChannelLayoutTag_WAVE_6_1, "L R C LFE Cs Ls Rs"), (kAudioChannelLayoutTag_WAVE_7_1, "L R C LFE Rls Rrs Ls Rs"),
    ]

    static let table: [(tag: AudioChannelLayoutTag, labels: [AudioChannelLabel])] =
        texts.map { tag, text in (tag, text.split(separator: " ").compactMap { codes[$0] }) }

    /// The labels of a layout; nil where they are not known.
    static func labels(_ layout: [UInt8]) -> [AudioChannelLabel]? {
        guard let (tag, bitmap, labels) = ChannelLayouts.labels(layout) else { return nil }
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: return labels
        // The first bits and the first labels have one order.
        case kAudioChannelLayoutTag_UseChannelBitmap: return (0..<18).filter { bitmap >> $0 & 1 != 0 }.map { UInt32($0) + 1 }
        default:
            if tag & 0xFFFF_0000 == kAudioChannelLayoutTag_DiscreteInOrder {
                return (0..<AudioChannelLayoutTag_GetNumberOfChannels(tag)).map { kAudioChannelLabel_Discrete_0 + $0 }
            }
            return table.first { $0.tag == tag }?.labels
        }
    }
}
