import CALSA
import Glibc
import RemoteIO

/// The mixer of a sound card, by the simple mixer interface of libasound: the one file that calls `snd_mixer_*`.
enum MixerCalls {
    typealias Mixer = OpaquePointer
    typealias Element = OpaquePointer

    struct Control {
        var name: String
        var element: Element
    }

    static func open(_ control: String) throws(DeviceFault) -> Mixer {
        var memory: OpaquePointer?
        try check("snd_mixer_open", snd_mixer_open(&memory, 0))
        guard let mixer = memory else { throw DeviceFault("snd_mixer_open", -ENOMEM) }
        do throws(DeviceFault) {
            try check("snd_mixer_attach", snd_mixer_attach(mixer, control))
            try check("snd_mixer_selem_register", snd_mixer_selem_register(mixer, nil, nil))
            try check("snd_mixer_load", snd_mixer_load(mixer))
        } catch {
            snd_mixer_close(mixer)
            throw error
        }
        return mixer
    }

    static func close(_ mixer: Mixer) { snd_mixer_close(mixer) }

    static func controls(_ mixer: Mixer) -> [Control] {
        var found: [Control] = [], next = snd_mixer_first_elem(mixer)
        while let element = next {
            if snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_has_playback_volume(element) != 0 {
                let index = snd_mixer_selem_get_index(element)
                let name = snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
                found.append(Control(name: index == 0 ? name : "\(name),\(index)", element: element))
            }
            next = snd_mixer_elem_next(element)
        }
        return found
    }

    static func steps(_ element: Element) throws(DeviceFault) -> ClosedRange<Int> {
        var low = 0, high = 0
        try check(
            "snd_mixer_selem_get_playback_volume_range", snd_mixer_selem_get_playback_volume_range(element, &low, &high))
        return low...max(low, high)
    }

    /// Hundredths of a decibel; nil if the card does not know them.
    static func decibels(_ element: Element) -> ClosedRange<Int>? {
        var low = 0, high = 0
        guard snd_mixer_selem_get_playback_dB_range(element, &low, &high) == 0, low < high else { return nil }
        return low...high
    }

    /// The volume of the front left channel, in steps.
    static func step(_ element: Element) throws(DeviceFault) -> Int {
        var step = 0
        try check(
            "snd_mixer_selem_get_playback_volume",
            snd_mixer_selem_get_playback_volume(element, SND_MIXER_SCHN_FRONT_LEFT, &step))
        return step
    }

    /// Returns the front left channel's level in hundredths of a decibel; nil if the card does not know it.
    static func decibel(_ element: Element) -> Int? {
        var level = 0
        return snd_mixer_selem_get_playback_dB(element, SND_MIXER_SCHN_FRONT_LEFT, &level) == 0 ? level : nil
    }

    static func set(_ element: Element, step: Int) throws(DeviceFault) {
        try check("snd_mixer_selem_set_playback_volume_all", snd_mixer_selem_set_playback_volume_all(element, step))
    }

    /// The step nearest to so many hundredths.
    static func set(_ element: Element, decibel: Int) throws(DeviceFault) {
        try check("snd_mixer_selem_set_playback_dB_all", snd_mixer_selem_set_playback_dB_all(element, decibel, 0))
    }

    static func isMuted(_ element: Element) throws(DeviceFault) -> Bool? {
        if snd_mixer_selem_has_playback_switch(element) == 0 { return nil }
        var isOn: Int32 = 1
        try check(
            "snd_mixer_selem_get_playback_switch",
            snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &isOn))
        return isOn == 0
    }

    static func set(_ element: Element, isMuted: Bool) throws(DeviceFault) {
        try check(
            "snd_mixer_selem_set_playback_switch_all",
            snd_mixer_selem_set_playback_switch_all(element, isMuted ? 0 : 1))
    }

    static func descriptors(_ mixer: Mixer) -> [pollfd] {
        let count = max(0, snd_mixer_poll_descriptors_count(mixer))
        var list = [pollfd](repeating: pollfd(), count: Int(count))
        _ = snd_mixer_poll_descriptors(mixer, &list, UInt32(count))
        return list
    }

    static func takeChanges(_ mixer: Mixer) throws(DeviceFault) {
        let code = snd_mixer_handle_events(mixer)
        if code < 0 { throw DeviceFault("snd_mixer_handle_events", code) }
    }

    private static func check(_ function: String, _ code: Int32) throws(DeviceFault) {
        if code < 0 { throw DeviceFault(function, code) }
    }
}
