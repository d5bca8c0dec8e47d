import CFluidSynth
import SoundFonts

/// The only file that calls libfluidsynth outside the render side: what fails there becomes a `SoundFontError` here. It is
/// loaded when the first synth is made, and never linked.
///
/// Owns one synth object and its settings. Control side; once a plan has the unit only the render thread touches it.
struct FluidSynthCalls: ~Copyable {
    /// The library's synth object, for the wrappers of `CFluidSynth`.
    let synth: OpaquePointer
    /// A loud square of 256 frames, for `fluid_render_settle`.
    let tone: OpaquePointer
    private let settings: OpaquePointer
    private let fluid: fluid_library

    static let libraryName = "libfluidsynth.so.3"
    /// The reason why it could not be loaded, at the first try; nil when it was.
    private static let refusal: String? = load(libraryName)

    static func load(_ name: String) -> String? { fluid_library_load(name).map { String(cString: $0) } }

    /// Makes a synth without SoundFonts. Throws `notInstalled`, `library`.
    init(_ declaration: FluidSynthSettings) throws(SoundFontError) {
        if let refusal = Self.refusal { throw .notInstalled(reason: refusal) }
        let fluid = fluid_library_functions()
        FluidSynthLog.silence()
        guard let settings = fluid.new_fluid_settings() else {
            throw .library(function: "new_fluid_settings", message: "out of memory")
        }
        for (name, value) in declaration.all {
            let result =
                switch value {
                case .integer(let number): fluid.fluid_settings_setint(settings, name, number)
                case .number(let number): fluid.fluid_settings_setnum(settings, name, number)
                case .text(let text): fluid.fluid_settings_setstr(settings, name, text)
                }
            guard result == FLUID_OK else {
                fluid.delete_fluid_settings(settings)
                throw .library(function: "fluid_settings_set", message: "\(name) refused")
            }
        }
        var synth: OpaquePointer?
        let message = FluidSynthLog.collecting { synth = fluid.new_fluid_synth(settings) }
        guard let synth else {
            fluid.delete_fluid_settings(settings)
            throw .library(function: "new_fluid_synth", message: message ?? "no reason given")
        }
        var square = [Int16](repeating: 30_000, count: 256)
        for frame in 128..<256 { square[frame] = -30_000 }
        guard let tone = fluid.new_fluid_sample(),
            fluid.fluid_sample_set_sound_data(tone, &square, nil, 256, 44_100, 1) == FLUID_OK,
            fluid.fluid_sample_set_loop(tone, 16, 240) == FLUID_OK
        else {
            fluid.delete_fluid_synth(synth)
            fluid.delete_fluid_settings(settings)
            throw .library(function: "new_fluid_sample", message: "out of memory")
        }
        (self.fluid, self.tone, self.settings, self.synth) = (fluid, tone, settings, synth)
        // Each channel its own: "mono" and "poly" then mean that channel and no other.
        _ = fluid.fluid_synth_reset_basic_channel(synth, -1)
        for channel in 0..<Int32(16) {
            _ = fluid.fluid_synth_set_basic_channel(synth, channel, FLUID_CHANNEL_MODE_OMNIOFF_POLY, 1)
        }
    }

    deinit {
        // Synths share sample data, and a library for DLS that counts them.
        FluidSynthLog.inTurn { [fluid, synth, tone, settings] in
            fluid.delete_fluid_synth(synth)
            fluid.delete_fluid_sample(tone)
            fluid.delete_fluid_settings(settings)
        }
    }

    /// Loads a file that `SoundFontFile` has found sound, or the samples of some presets alone; returns the library's number for
    /// it. Throws `refused`, `noReader`, `pitchOutOfReach`, and `changed` if the file has changed since its check.
    func load(_ file: SoundFontFile, wanted: [SoundFontFile.Preset]? = nil) throws(SoundFontError) -> Int32 {
        // The library itself opens a DLS file.
        guard FileIdentity(path: file.path) == file.identity else { throw .changed(path: file.path) }
        guard file.format != .sfz, file.format != .dls || !file.isInSong else {
            throw .noReader(path: file.path, kind: file.format.rawValue)
        }
        if let contents = file.contents {
            try contents.data.requireTargets()
            try PitchReach.check(contents.data, contents.samples)
        }
        let subset = try SampleSubset(file, wanted: wanted)
        var number: Int32 = FLUID_FAILED
        let message = FluidSynthLog.collecting {
            number = subset.map { load($0) } ?? fluid.fluid_synth_sfload(synth, file.path, 0)
        }
        // The result of a file that was written to meanwhile is not used.
        guard FileIdentity(path: file.path) == file.identity else { throw .changed(path: file.path) }
        guard number != FLUID_FAILED else {
            // With a reader of DLS the library knows such a file by its header, even if it then fails on the rest.
            if file.format == .dls, fluid.fluid_is_soundfont(file.path) == 0 {
                throw .noReader(path: file.path, kind: file.format.rawValue)
            }
            throw .refused(path: file.path, message: message ?? "no reason given")
        }
        return number
    }

    /// The file that the loader's next open answers with; guarded by the turn of `FluidSynthLog`.
    nonisolated(unsafe) private static var next: SampleSubset?

    private func load(_ subset: SampleSubset) -> Int32 {
        guard let loader = fluid.new_fluid_defsfloader(settings) else { return FLUID_FAILED }
        _ = fluid.fluid_sfloader_set_callbacks(
            loader,
            { _ in FluidSynthCalls.next.map { Unmanaged.passRetained($0).toOpaque() } },
            { buffer, count, handle in FluidSynthCalls.file(handle) { $0.read(buffer, Int(count)) } },
            { handle, offset, origin in FluidSynthCalls.file(handle) { $0.seek(Int(offset), origin) } },
            { handle in FluidSynthCalls.file(handle) { CLongLong($0.position) } },
            { handle in
                if let handle { Unmanaged<SampleSubset>.fromOpaque(handle).release() }
                return FLUID_OK
            })
        fluid.fluid_synth_add_sfloader(synth, loader)
        Self.next = subset
        defer { Self.next = nil }
        return fluid.fluid_synth_sfload(synth, subset.name, 0)
    }

    /// Returns what `body` answers for the file that the library holds by `handle`; -1 without one. The library keeps the
    /// file meanwhile: it is not counted again for each of a hundred thousand reads.
    private static func file<Answer: FixedWidthInteger>(
        _ handle: UnsafeMutableRawPointer?, _ body: (SampleSubset) -> Answer
    ) -> Answer {
        guard let handle else { return -1 }
        return Unmanaged<SampleSubset>.fromOpaque(handle)._withUnsafeGuaranteedRef(body)
    }

    /// The presets that the library sees in a loaded file, in its own order.
    func presets(of number: Int32) -> [SoundFontFile.Preset] {
        guard let font = fluid.fluid_synth_get_sfont_by_id(synth, number) else { return [] }
        var presets: [SoundFontFile.Preset] = []
        fluid.fluid_sfont_iteration_start(font)
        while let preset = fluid.fluid_sfont_iteration_next(font) {
            presets.append(
                SoundFontFile.Preset(
                    bank: Int(fluid.fluid_preset_get_banknum(preset)), program: Int(fluid.fluid_preset_get_num(preset)),
                    name: fluid.fluid_preset_get_name(preset).map { String(cString: $0) } ?? ""))
        }
        return presets
    }

    /// Interpolation of every channel: 0 none, 1 linear, 4 fourth order, 7 seventh order.
    func setInterpolation(_ method: Int32) throws(SoundFontError) {
        guard fluid.fluid_synth_set_interp_method(synth, -1, method) == FLUID_OK else {
            throw .library(function: "fluid_synth_set_interp_method", message: "method \(method) refused")
        }
    }
}
