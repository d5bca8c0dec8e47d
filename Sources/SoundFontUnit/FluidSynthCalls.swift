import CFluidRender
import CFluidSynth

/// The only file that calls libfluidsynth outside the render side: what fails there becomes a `SoundFontError` here.
///
/// Owns one synth object and its settings. Control side; once a plan has the unit only the render thread touches it.
struct FluidSynthCalls: ~Copyable {
    /// For the wrappers of `CFluidRender`.
    let synth: OpaquePointer
    private let settings: OpaquePointer

    /// Makes a synth without SoundFonts. Throws `library`.
    init(_ declaration: FluidSynthSettings) throws(SoundFontError) {
        FluidSynthLog.silence()
        guard let settings = new_fluid_settings() else {
            throw .library(function: "new_fluid_settings", message: "out of memory")
        }
        for (name, value) in declaration.all {
            let result = switch value {
            case .integer(let number): fluid_settings_setint(settings, name, number)
            case .number(let number): fluid_settings_setnum(settings, name, number)
            case .text(let text): fluid_settings_setstr(settings, name, text)
            }
            guard result == FLUID_OK else {
                delete_fluid_settings(settings)
                throw .library(function: "fluid_settings_set", message: "\(name) refused")
            }
        }
        var synth: OpaquePointer?
        let message = FluidSynthLog.collecting { synth = new_fluid_synth(settings) }
        guard let synth else {
            delete_fluid_settings(settings)
            throw .library(function: "new_fluid_synth", message: message ?? "no reason given")
        }
        self.settings = settings
        self.synth = synth
        // Each channel its own: "mono" and "poly" then mean that channel and no other.
        fluid_synth_reset_basic_channel(synth, -1)
        for channel in 0..<Int32(16) {
            fluid_synth_set_basic_channel(synth, channel, Int32(FLUID_CHANNEL_MODE_OMNIOFF_POLY.rawValue), 1)
        }
    }

    deinit {
        delete_fluid_synth(synth)
        delete_fluid_settings(settings)
    }

    /// Loads a file that `SoundFontFile` has found sound; returns the library's number for it. Throws `refused`,
    /// `noReader`.
    func load(_ file: SoundFontFile) throws(SoundFontError) -> Int32 {
        var number: Int32 = FLUID_FAILED
        let message = FluidSynthLog.collecting { number = fluid_synth_sfload(synth, file.path, 0) }
        guard number != FLUID_FAILED else {
            if file.format == .dls, message == nil || message!.contains("Not a SoundFont") {
                throw .noReader(path: file.path, kind: file.format.rawValue)
            }
            throw .refused(path: file.path, message: message ?? "no reason given")
        }
        return number
    }

    /// The presets that the library sees in a loaded file, in its own order.
    func presets(of number: Int32) -> [SoundFontFile.Preset] {
        guard let font = fluid_synth_get_sfont_by_id(synth, number) else { return [] }
        var presets: [SoundFontFile.Preset] = []
        fluid_sfont_iteration_start(font)
        while let preset = fluid_sfont_iteration_next(font) {
            presets.append(
                SoundFontFile.Preset(
                    bank: Int(fluid_preset_get_banknum(preset)), program: Int(fluid_preset_get_num(preset)),
                    name: fluid_preset_get_name(preset).map { String(cString: $0) } ?? ""))
        }
        return presets
    }

    /// Loads a preset's samples and keeps them until the synth dies. Throws `refused`.
    func pin(_ preset: LoadedPreset, path: String) throws(SoundFontError) {
        var result: Int32 = FLUID_FAILED
        let message = FluidSynthLog.collecting {
            result = fluid_synth_pin_preset(synth, preset.font, Int32(preset.bank), Int32(preset.program))
        }
        guard result == FLUID_OK else {
            throw .refused(path: path, message: message ?? "preset \(preset.bank):\(preset.program) cannot be loaded")
        }
    }

    /// Interpolation of every channel: 0 none, 1 linear, 4 fourth order, 7 seventh order.
    func setInterpolation(_ method: Int32) throws(SoundFontError) {
        guard fluid_synth_set_interp_method(synth, -1, method) == FLUID_OK else {
            throw .library(function: "fluid_synth_set_interp_method", message: "method \(method) refused")
        }
    }

    /// What controller `number` of a channel stands at.
    func controller(_ number: Int32, of channel: Int32) -> UInt8 {
        var value: Int32 = 0
        guard fluid_synth_get_cc(synth, channel, number, &value) == FLUID_OK else { return 0 }
        return UInt8(truncatingIfNeeded: value)
    }

    /// The library's version, `2.3.1`.
    static var version: String { String(cString: fluid_version_str()) }
}
