// swift-tools-version: 6.2
import PackageDescription

// The manifest is the first page of the architecture: targets stand in import order, one line each says what lives there.
// A target may import only what stands above it (Tests/ArchitectureTests holds the table).
//
// No unsafe flags, so that a versioned dependency on this package resolves, unless CARILLON_SANITIZE=realtime asks for
// RealtimeSanitizer in the test executables.
let realtimeSanitizer = Context.environment["CARILLON_SANITIZE"] == "realtime"
let sanitizer: [LinkerSetting] = realtimeSanitizer ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : []

/// Render side: no existentials, no untyped throws, no weak references, in any build. Swift 6.2 knows none of these warnings.
#if compiler(>=6.3)
    let guarded = ["ExistentialType", "EmbeddedRestrictions"]
#else
    let guarded: [String] = []
#endif
let renderSide: [SwiftSetting] =
    [.enableExperimentalFeature("Lifetimes")] + guarded.map { .treatWarning($0, as: .error) }

/// A product of another package, which the programs alone need.
func programs(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Programs"]))
}

let package = Package(
    name: "Carillon",
    products: [
        .library(name: "Carillon", targets: ["Carillon", "Control", "Corpus"]),
        .library(name: "CarillonTestKit", targets: ["CarillonTestKit"]),
        .library(name: "CoreFoundation", targets: ["CoreFoundation"]),
        .library(name: "CoreAudioTypes", targets: ["CoreAudioTypes"]),
        .library(name: "CoreAudio", targets: ["CoreAudio"]),
        .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
        .library(name: "CoreMIDI", targets: ["CoreMIDI"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "PlaygroundSupport", targets: ["PlaygroundSupport"]),
        .library(name: "AudioUnit", targets: ["AudioUnit"]),
        .library(name: "ApplicationServices", targets: ["ApplicationServices"]),
        .executable(name: "carillon", targets: ["CarillonCommand"]),
        .executable(name: "carillon-gateway", targets: ["GatewayCommand"]),
    ],
    // Whoever uses the library alone says `traits: []`, and no other package is fetched.
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(name: "Programs", description: "The programs carillon and carillon-gateway."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // Of the gateway alone, a process of its own.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // C: one choke point per library
        .systemLibrary(name: "CSMF", pkgConfig: "smf", providers: [.apt(["libsmf-dev"])]),
        // Checksums; libsmf needs the library anyway.
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CLO", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        // The few lines Swift cannot say: flush-to-zero, thread priority, vouched C maths.
        .target(name: "CRealtime", linkerSettings: [.linkedLibrary("m")]),
        // libfluidsynth, loaded when it is used: the calls of the render side with the promise that they neither allocate nor lock.
        .target(name: "CFluidSynth", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("dl")]),
        // The calls of libasound and of libsoxr that the audio loop makes, with the promise that they take no memory.
        .target(name: "CALSARender", dependencies: ["CALSA", "CRealtime"]),
        .target(name: "CSoxrRender", dependencies: ["CSoxr", "CRealtime"]),
        // librubberband, loaded when it is used and never linked: it is under the GPL.
        .target(name: "CRubberBand", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("dl")]),
        // libspeexdsp, loaded when it is used.
        .target(name: "CSpeexDSP", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("dl")]),
        // Carillon's own SoundFont, soundfonts/carillon.sf2, inside the program.
        .target(name: "CSoundFontData"),
        // SOFA files through libmysofa, which is loaded when one is read.
        .target(name: "CMySOFA"),
        // The few loops that want lanes, once for AVX2 and once for every processor: equal bits.
        .target(name: "CKernels", dependencies: ["CRealtime"]),
        // LV2's binary interface, lilv looked up when used, what stands around a plug-in, and the calls into it.
        .target(name: "CPlugIns", dependencies: ["CRealtime"]),
        // libjack, loaded when it is used and never linked.
        .target(name: "CJACK", dependencies: ["CRealtime"]),
        // libpipewire, loaded when it is used and never linked.
        .target(name: "CPipeWire", dependencies: ["CRealtime"]),
        // What the programs get from their start: arguments, the commit they were built from; and older systems' C library.
        .target(
            name: "CProgram",
            cSettings: Context.environment["CARILLON_BUILD"].map { [.define("CARILLON_BUILD", to: "\"\($0)\"")] } ?? []),
        // Test support: counts allocations, frees, locks and Swift runtime calls between rt_enter() and rt_leave().
        .target(name: "RTProbe", cSettings: realtimeSanitizer ? [.define("RTSAN")] : []),

        // What programs report, as values and as text: remarks, JSON, columns, near names. It knows no sound.
        .target(name: "Reports"),

        // Render side: sample time, blocks, the crossings between threads.
        .target(name: "RealtimeCore", dependencies: ["CRealtime"], swiftSettings: renderSide),
        // Pure arithmetic: deterministic maths, decibels, oscillators, envelopes, filters, delay lines.
        .target(name: "DSP", dependencies: ["CRealtime", "CKernels", "RealtimeCore"], swiftSettings: renderSide),
        // MIDI 1.0 words as fixed-size values, the parser, System Exclusive.
        .target(name: "MIDI", dependencies: ["RealtimeCore"], swiftSettings: renderSide),

        // The contract: all that the author of a unit reads.
        .target(name: "UnitAPI", dependencies: ["Reports", "RealtimeCore", "DSP", "MIDI"], swiftSettings: renderSide),

        // SOFA files: what the ears of a head hear from each direction, as filters.
        .target(name: "SOFAFiles", dependencies: ["CMySOFA", "Reports", "DSP"]),

        // One file is one unit: instruments, effects, mixers.
        .target(
            name: "Units",
            dependencies: ["Reports", "CRealtime", "CKernels", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SOFAFiles"],
            swiftSettings: renderSide),

        // libsndfile and libebur128: audio files and streams in and out, loudness.
        .target(name: "AudioFiles", dependencies: ["CSndFile", "CEBUR128", "CRealtime", "CKernels", "Reports", "DSP"]),
        // SoundFonts: files read and checked, presets, search, recipes of voices, samples; no synthesizer.
        .target(name: "SoundFonts", dependencies: ["CSoundFontData", "DSP", "MIDI", "UnitAPI", "AudioFiles", "Reports"]),
        // libfluidsynth as an instrument: one stereo bus per MIDI channel.
        .target(
            name: "FluidSynthUnit",
            dependencies: [
                "CFluidSynth", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI", "SoundFonts",
            ],
            swiftSettings: renderSide),
        // Our own SoundFont engine: recipes become voices, exact to the frame.
        .target(
            name: "Samplers", dependencies: ["CRealtime", "CKernels", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SoundFonts"],
            swiftSettings: renderSide),
        // LV2 plug-ins as units: what is installed, and each at work in this process or in one of its own.
        .target(
            name: "PlugIns", dependencies: ["Reports", "CPlugIns", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI"],
            swiftSettings: renderSide),

        // Engine, control side
        // Score, tempo map, timeline: ticks become frames.
        .target(name: "Sequencer", dependencies: ["Reports", "RealtimeCore", "MIDI"]),
        // Song files through libsmf: bytes, repairs, songs; and songs to bytes.
        .target(name: "SongFiles", dependencies: ["CSMF", "MIDI", "Sequencer", "Reports"]),
        // The songs of songs/, as written music; make-songs writes the files.
        .target(name: "SongBook", dependencies: ["MIDI", "Sequencer"], path: "Content/SongBook"),
        .executableTarget(name: "make-songs", dependencies: ["SongBook", "SongFiles"], path: "Content/MakeSongs"),

        // Our own General MIDI SoundFont, synthesised; make-soundfont writes soundfonts/carillon.sf2.
        .target(name: "SoundFontSynthesis", path: "Content/SoundFontSynthesis"),
        .executableTarget(name: "make-soundfont", dependencies: ["SoundFontSynthesis"], path: "Content/MakeSoundFont"),

        // libsoxr: the rate of a device and of a file becomes the engine's.
        .target(name: "SampleRate", dependencies: ["CSoxr", "CSoxrRender", "Reports", "DSP"]),
        // Rooms and cabinets out of audio files, as an effect.
        .target(
            name: "Convolution",
            dependencies: ["CRealtime", "CKernels", "Reports", "RealtimeCore", "DSP", "UnitAPI", "AudioFiles", "SampleRate"],
            swiftSettings: renderSide),
        // Another pitch at the same speed, another speed at the same pitch, by librubberband.
        .target(
            name: "TimePitch", dependencies: ["CRealtime", "CRubberBand", "Reports", "RealtimeCore", "DSP", "UnitAPI"],
            swiftSettings: renderSide),
        // Microphones without echo and noise, by libspeexdsp.
        .target(
            name: "VoiceProcessing", dependencies: ["CRealtime", "CSpeexDSP", "Reports", "RealtimeCore", "DSP", "UnitAPI"],
            swiftSettings: renderSide),
        // Description -> validation -> compiled plan -> Renderer, the render callback.
        .target(
            name: "Graphs", dependencies: ["Reports", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI"], swiftSettings: renderSide),

        // Files that people write and keep: YAML in with places, out with comments and order kept, tables of fields.
        .target(name: "Document", dependencies: ["CYAML", "Reports", "UnitAPI"]),
        // The graph as a value: saved, compared, nested; no unit in it. And as a file, by the catalogue's declarations.
        .target(name: "Patches", dependencies: ["Reports", "DSP", "MIDI", "UnitAPI", "Document"]),

        // The I/O contract and its twins without a device; device states, clocks and conversions as pure values.
        .target(
            name: "RemoteIO",
            dependencies: ["CRealtime", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SampleRate", "Graphs"]),
        // The real thing: PCM output and input, sequencer input and output, devices that come and go.
        .target(
            name: "ALSA",
            dependencies: [
                "CALSA", "CALSARender", "CRealtime", "Reports", "RealtimeCore", "DSP", "MIDI", "SampleRate", "Graphs",
                "RemoteIO",
            ]),
        // Devices of a JACK server.
        .target(name: "JACK", dependencies: ["CJACK", "CRealtime", "DSP", "RemoteIO"]),
        // Devices of a PipeWire daemon.
        .target(name: "PipeWire", dependencies: ["CPipeWire", "CRealtime", "DSP", "RemoteIO"]),
        // The engine: edits, values, devices, files, taps, recorder, analysis, reports of its graph.
        .target(
            name: "EngineCore",
            dependencies: [
                "CGLib", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts",
                "FluidSynthUnit", "Samplers", "PlugIns", "Sequencer", "SongFiles", "SampleRate", "Convolution", "TimePitch",
                "VoiceProcessing", "Graphs", "Document", "Patches", "RemoteIO", "ALSA", "JACK", "PipeWire",
            ],
            resources: [.embedInCode("Patches/Examples")]),
        // Songs through an engine: renderer, stems, labels, levels, inspection.
        .target(
            name: "SongRendering",
            dependencies: [
                "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "FluidSynthUnit",
                "Samplers", "PlugIns", "Sequencer", "SongFiles", "Graphs", "Document", "Patches", "RemoteIO", "EngineCore",
            ]),
        // Sessions: an engine with ports and parts: songs, keys, stages, mix, recording.
        .target(
            name: "Sessions",
            dependencies: [
                "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "PlugIns", "Sequencer",
                "SongFiles", "TimePitch", "Graphs", "Document", "Patches", "RemoteIO", "ALSA", "EngineCore", "SongRendering",
            ]),
        // The public library: it re-exports what users name.
        .target(
            name: "Carillon",
            dependencies: [
                "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "FluidSynthUnit", "Samplers",
                "Sequencer", "SongFiles", "SampleRate", "Convolution", "TimePitch", "VoiceProcessing", "Graphs", "Patches",
                "RemoteIO", "EngineCore", "SongRendering", "Sessions",
            ]),
        // Steered from outside: one grammar of commands, one list of metrics, and the socket that speaks both.
        .target(name: "Control", dependencies: ["Reports", "UnitAPI", "Carillon"]),
        // An installation: playlists, calendar, resume; machines over one clock, and the session that they steer.
        .target(
            name: "Installations", dependencies: ["Reports", "UnitAPI", "Document", "Patches", "Carillon", "Control"],
            resources: [.embedInCode("File/Examples")]),
        // Data sets: jobs from a manifest, their keys and shards, the pool that renders them, their rows and files.
        .target(name: "Corpus", dependencies: ["Reports", "DSP", "AudioFiles", "Carillon"]),
        // The program `carillon`.
        .executableTarget(
            name: "CarillonCommand",
            dependencies: [
                "CProgram", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "AudioFiles", "PlugIns", "SongFiles", "Document",
                "Patches", "ALSA", "JACK", "PipeWire", "Carillon", "Control", "Installations", "Corpus",
                programs("ArgumentParser", of: "swift-argument-parser"),
            ]),

        // The page of carillon-gateway, inside the program.
        .target(name: "CPageData"),
        // A session's door to the network: page, HTTP, WebSocket, OSC; nothing of the engine is in it.
        .target(
            name: "Gateway",
            dependencies: [
                "CLO", "CPageData", programs("NIOCore", of: "swift-nio"),
                programs("NIOPosix", of: "swift-nio"), programs("NIOHTTP1", of: "swift-nio"),
                programs("NIOWebSocket", of: "swift-nio"),
            ]),
        // The program `carillon-gateway`.
        .executableTarget(
            name: "GatewayCommand",
            dependencies: ["CProgram", "Gateway", programs("ArgumentParser", of: "swift-argument-parser")]),

        // Damaged songs, SoundFonts and patches by the hundred thousand: tools/fuzz.
        .executableTarget(
            name: "carillon-fuzz", dependencies: ["MIDI", "AudioFiles", "Sequencer", "SongFiles", "Patches", "Carillon"],
            path: "Content/Fuzz"),

        // Apple's names, for programs written for Core Audio and AVFoundation. Nothing above or below imports them.
        // The numbers of Apple's C headers, and its structs and enumerations as callbacks pass them.
        .target(name: "CMacTypes", path: "Sources/Apple/CMacTypes"),
        .target(name: "CCoreAudioTypes", dependencies: ["CMacTypes"], path: "Sources/Apple/CCoreAudioTypes"),
        .target(name: "CCoreAudio", dependencies: ["CCoreAudioTypes"], path: "Sources/Apple/CCoreAudio"),
        .target(name: "CCoreMIDI", dependencies: ["CMacTypes"], path: "Sources/Apple/CCoreMIDI"),
        .target(name: "CAudioToolbox", dependencies: ["CCoreAudioTypes", "CCoreMIDI"], path: "Sources/Apple/CAudioToolbox"),
        // What `import Foundation` brings on Apple: CF names over Foundation, run loop, byte order, host time, log.
        .target(name: "CoreFoundation", dependencies: ["CMacTypes"], path: "Sources/Apple/CoreFoundation"),
        .target(name: "os", path: "Sources/Apple/os"),
        // A playground's file as a program that goes on after its last line.
        .target(name: "PlaygroundSupport", dependencies: ["CoreFoundation"], path: "Sources/Apple/PlaygroundSupport"),
        // Formats, buffer lists, time stamps, channel layouts.
        .target(
            name: "CoreAudioTypes", dependencies: ["CCoreAudioTypes", "CoreFoundation"], path: "Sources/Apple/CoreAudioTypes"),
        // MIDI Services on the ALSA sequencer.
        .target(
            name: "CoreMIDI", dependencies: ["CCoreMIDI", "CoreAudioTypes", "RemoteIO", "ALSA"],
            path: "Sources/Apple/CoreMIDI"),
        // The machine's devices.
        .target(
            name: "CoreAudio", dependencies: ["CCoreAudio", "CoreAudioTypes", "ALSA", "EngineCore"],
            path: "Sources/Apple/CoreAudio"),
        // Audio files by packets and by frames, converters of linear PCM, questions about formats; audio units and
        // their graphs; music sequences.
        .target(
            name: "AudioToolbox",
            dependencies: [
                "CAudioToolbox", "CoreAudioTypes", "CoreAudio", "CoreMIDI", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI",
                "Units", "AudioFiles", "Sequencer", "SongFiles", "SampleRate", "Graphs", "RemoteIO", "EngineCore",
            ],
            path: "Sources/Apple/AudioToolbox"),
        // Modules that only lead to others.
        .target(name: "AudioUnit", dependencies: ["AudioToolbox"], path: "Sources/Apple/AudioUnit"),
        .target(name: "ApplicationServices", dependencies: ["CoreFoundation"], path: "Sources/Apple/ApplicationServices"),
        // Formats, buffers, times, files and converters as classes; engine and nodes.
        .target(
            name: "AVFAudio",
            dependencies: [
                "AudioToolbox", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "Samplers",
                "SampleRate",
                "TimePitch", "Graphs", "RemoteIO", "EngineCore",
            ], path: "Sources/Apple/AVFAudio"),
        .target(name: "AVFoundation", dependencies: ["AVFAudio"], path: "Sources/Apple/AVFoundation"),

        // Test support: a rig without a device, the laws every unit obeys, comparison of audio.
        .target(
            name: "CarillonTestKit", dependencies: ["CRealtime", "RTProbe", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Graphs"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]),

        .target(name: "TestFolders", path: "Tests/TestFolders"),
        // Units of the tests' own, for tests that are not optimised.
        .target(name: "TestUnits", dependencies: ["RealtimeCore", "DSP", "MIDI", "UnitAPI"], path: "Tests/TestUnits"),

        .testTarget(name: "MakeSoundFontTests", dependencies: ["SoundFontSynthesis"]),
        .testTarget(name: "ReportsTests", dependencies: ["Reports"]),
        .testTarget(name: "AudioFilesTests", dependencies: ["TestFolders", "AudioFiles"]),
        .testTarget(name: "SongBookTests", dependencies: ["SongBook", "SongFiles", "Sequencer", "MIDI"]),
        .testTarget(name: "PatchesTests", dependencies: ["TestFolders", "CarillonTestKit", "DSP", "UnitAPI", "Patches"]),
        .testTarget(name: "MIDITests", dependencies: ["CarillonTestKit", "RealtimeCore", "MIDI"]),
        .testTarget(name: "DSPTests", dependencies: ["CKernels", "DSP"]),
        .testTarget(
            name: "UnitsTests",
            dependencies: [
                "CarillonTestKit", "CEBUR128", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SOFAFiles", "Graphs", "Units",
            ],
            linkerSettings: sanitizer),
        // The tree itself: imports, sizes, names, annotations; and the compiler as the guard of the render side.
        .testTarget(name: "ArchitectureTests"),
        .testTarget(
            name: "RTProbeTests", dependencies: ["CRealtime", "RTProbe", "RealtimeCore", "UnitAPI", "CarillonTestKit"],
            linkerSettings: sanitizer),
        // Two real threads: also run under ThreadSanitizer.
        .testTarget(name: "RealtimeCoreTests", dependencies: ["RealtimeCore"]),
        .testTarget(
            name: "UnitLawsTests",
            dependencies: ["CarillonTestKit", "CRealtime", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units"],
            linkerSettings: sanitizer),
        .testTarget(
            name: "GraphTests",
            dependencies: ["CarillonTestKit", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Graphs", "Sequencer"],
            linkerSettings: sanitizer),
        .testTarget(
            name: "CarillonTests",
            dependencies: [
                "CFluidSynth", "Carillon", "Patches", "RTProbe", "TestFolders", "CarillonTestKit", "TestUnits", "EngineCore",
                "SongRendering", "Sessions", "Control",
            ],
            linkerSettings: sanitizer),
        .testTarget(name: "SoundFontsTests", dependencies: ["TestFolders", "CarillonTestKit", "MIDI", "SoundFonts"]),
        .testTarget(
            name: "FluidSynthUnitTests",
            dependencies: [
                "CarillonTestKit", "CFluidSynth", "RealtimeCore", "MIDI", "UnitAPI", "SoundFonts", "Graphs", "Sequencer",
                "SongFiles", "FluidSynthUnit",
            ],
            linkerSettings: sanitizer),
        .testTarget(
            name: "SamplerTests",
            dependencies: [
                "TestFolders", "CarillonTestKit", "CFluidSynth", "CKernels", "RealtimeCore", "DSP", "MIDI", "UnitAPI",
                "SoundFonts", "Samplers", "AudioFiles", "Graphs", "Sequencer", "SongFiles",
            ],
            linkerSettings: sanitizer),
        .testTarget(
            name: "PlugInsTests",
            dependencies: [
                "CarillonTestKit", "RTProbe", "RealtimeCore", "MIDI", "UnitAPI", "Graphs", "Units", "Patches", "PlugIns",
                "RemoteIO", "Carillon", "CarillonCommand", "EngineCore", "SongRendering", "Sessions",
            ]),
        .testTarget(name: "SampleRateTests", dependencies: ["DSP", "SampleRate"]),
        .testTarget(
            name: "ConvolutionTests", dependencies: ["CarillonTestKit", "DSP", "UnitAPI", "Graphs", "AudioFiles", "Convolution"],
            linkerSettings: sanitizer),
        .testTarget(
            name: "TimePitchTests", dependencies: ["CarillonTestKit", "DSP", "UnitAPI", "Graphs", "TimePitch"],
            linkerSettings: sanitizer),
        .testTarget(
            name: "VoiceProcessingTests",
            dependencies: ["CRealtime", "CarillonTestKit", "DSP", "UnitAPI", "Graphs", "VoiceProcessing"],
            linkerSettings: sanitizer),
        .testTarget(
            name: "RemoteIOTests",
            dependencies: [
                "CarillonTestKit", "CRealtime", "RTProbe", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Graphs", "RemoteIO",
            ]),
        // Hours of simulated time: tools/soak; some minutes of it with the other tests.
        .testTarget(
            name: "SoakTests",
            dependencies: [
                "CarillonTestKit", "RealtimeCore", "MIDI", "Graphs", "Sequencer", "RemoteIO", "Units", "Carillon",
                "Installations",
                "EngineCore", "SongRendering", "Sessions",
            ]),
        // What needs no device here; the rest runs on a real ALSA kernel (tools/alsa-vm).
        .testTarget(
            name: "ALSATests",
            dependencies: [
                "CRealtime", "RTProbe", "CarillonTestKit", "RealtimeCore", "MIDI", "UnitAPI", "Units", "SampleRate", "Graphs",
                "RemoteIO", "ALSA", "CoreMIDI",
            ]),
        // On a server that a test starts, with a dummy driver.
        .testTarget(
            name: "JACKTests",
            dependencies: [
                "CarillonTestKit", "CRealtime", "RealtimeCore", "UnitAPI", "Units", "Graphs", "RemoteIO", "ALSA", "JACK",
            ]),
        // On a daemon that a test starts, with a sink that nobody hears.
        .testTarget(
            name: "PipeWireTests",
            dependencies: [
                "CarillonTestKit", "CRealtime", "RealtimeCore", "UnitAPI", "Units", "Graphs", "RemoteIO", "ALSA", "PipeWire",
            ]),
        .testTarget(
            name: "SequencerTests", dependencies: ["CarillonTestKit", "RealtimeCore", "MIDI", "Sequencer", "SongFiles"]),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "TestFolders", "Carillon", "CarillonTestKit", "Control", "Installations", "Graphs", "Patches", "RemoteIO",
                "UnitAPI", "EngineCore", "SongRendering", "Sessions",
            ]),
        .testTarget(
            name: "InstallationsTests",
            dependencies: ["TestFolders", "CarillonTestKit", "Carillon", "Installations", "Patches"]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "TestFolders", "CarillonTestKit", "Carillon", "Control", "Installations", "CPageData", "Gateway", "Patches",
                programs("NIOEmbedded", of: "swift-nio"),
                "EngineCore", "SongRendering", "Sessions",
            ]),
        .testTarget(name: "CorpusTests", dependencies: ["TestFolders", "Carillon", "Corpus"]),
        // Runs the built program; keys, screens and logs as values.
        .testTarget(
            name: "CarillonCommandTests",
            dependencies: [
                "TestFolders", "CarillonTestKit", "Carillon", "CarillonCommand", "Corpus", "GatewayCommand", "EngineCore",
                "SongRendering", "Sessions",
            ]),
        // Every layout, end and choice of stems in one matrix: also run under AddressSanitizer.
        .testTarget(name: "RenderMatrixTests", dependencies: ["Carillon", "CarillonCommand"]),
        // Programs in C, which call Apple's names by their symbols.
        .target(name: "GuidePrograms", dependencies: ["AudioToolbox"], path: "Tests/GuidePrograms"),
        .testTarget(
            name: "AppleTests",
            dependencies: [
                "GuidePrograms",
                "CoreAudioTypes", "AudioToolbox", "CoreMIDI", "AVFoundation", "AudioFiles", "ALSA", "os", "PlaygroundSupport",
                "EngineCore", "Graphs", "Units", "MIDI", "Reports", "AudioUnit", "RealtimeCore",
            ]),
        .testTarget(name: "SongFilesTests", dependencies: ["RealtimeCore", "MIDI", "Sequencer", "SongFiles"]),
    ],
    swiftLanguageModes: [.v6]
)

// Test code that renders nothing is not optimised under tools/test, which would take minutes longer; what it tests is.
let testCode: [SwiftSetting] = Context.environment["CARILLON_TEST_CODE"] == "plain" ? [.unsafeFlags(["-Onone"])] : []
let optimisedTests: Set = [
    "AudioFilesTests", "ConvolutionTests", "DSPTests", "FluidSynthUnitTests", "GraphTests", "RTProbeTests", "RealtimeCoreTests",
    "RemoteIOTests", "SampleRateTests", "SamplerTests", "SoakTests", "TimePitchTests", "UnitLawsTests", "UnitsTests",
    "VoiceProcessingTests",
]
for target in package.targets where target.type == .test && !optimisedTests.contains(target.name) {
    target.swiftSettings = testCode
}

// A run under a sanitizer builds only the tests that have something to show it, and what they need: every target's
// dependencies stand above it. For ThreadSanitizer that must not be Units: swiftc 6.3.1 crashes on it.
// CARILLON_TESTS="MIDITests DSPTests" chooses by hand, for whoever works on one module.
let chosenTests: [String]? =
    switch Context.environment["CARILLON_SANITIZE"] {
    case "thread": ["RealtimeCoreTests", "GraphTests"]
    case "address": ["RenderMatrixTests", "AppleTests"]
    case .some:
        [
            "RTProbeTests", "RealtimeCoreTests", "GraphTests", "UnitsTests", "UnitLawsTests", "ConvolutionTests",
            "FluidSynthUnitTests", "SamplerTests",
        ]
    case nil: Context.environment["CARILLON_TESTS"]?.split(separator: " ").map(String.init)
    }
if let chosenTests {
    var needed = Set(chosenTests)
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
