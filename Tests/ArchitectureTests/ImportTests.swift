import Foundation
import Testing

/// The house's floors: a module may import what stands above it, and of that only what its row allows.
@Suite struct ImportTests {
    /// What one module may import. `system` are modules of the toolchain and of other packages.
    struct Row: CustomStringConvertible, Sendable {
        let module: String
        let imports: [String]
        let system: [String]
        init(_ module: String, _ imports: [String] = [], system: [String] = []) {
            self.module = module
            self.imports = imports
            self.system = system
        }
        var description: String {
            "\(module) may import \((imports + system).joined(separator: ", "))\(imports.isEmpty && system.isEmpty ? "nothing" : "")"
        }
    }

    /// In import order, which is the manifest's.
    static let table = [
        Row("CSMF"), Row("CGLib"), Row("CSndFile"), Row("CEBUR128"), Row("CSoxr"),
        Row("CALSA"), Row("CYAML"), Row("CLO"), Row("CRealtime"), Row("CFluidSynth"), Row("CALSARender"),
        Row("CSoxrRender"), Row("CRubberBand"), Row("CSpeexDSP"), Row("CSoundFontData"), Row("CMySOFA"), Row("CKernels"),
        Row("CPlugIns"), Row("CJACK"), Row("CPipeWire"), Row("CProgram"), Row("RTProbe"), Row("Reports"),
        Row("RealtimeCore", ["CRealtime"], system: ["Synchronization"]),
        Row("DSP", ["CRealtime", "CKernels", "RealtimeCore"]),
        Row("MIDI", ["RealtimeCore"]),
        Row("UnitAPI", ["Reports", "RealtimeCore", "DSP", "MIDI"], system: ["Synchronization"]),
        Row("SOFAFiles", ["CMySOFA", "Reports", "DSP"]),
        Row(
            "Units", ["Reports", "CRealtime", "CKernels", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SOFAFiles"],
            system: ["Synchronization"]
        ),
        Row(
            "AudioFiles", ["CSndFile", "CEBUR128", "CRealtime", "CKernels", "Reports", "DSP"],
            system: ["FoundationEssentials", "Glibc", "Synchronization"]),
        Row(
            "SoundFonts", ["CSoundFontData", "DSP", "MIDI", "UnitAPI", "AudioFiles", "Reports"],
            system: ["Glibc", "Synchronization"]),
        Row(
            "FluidSynthUnit",
            ["CFluidSynth", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI", "SoundFonts"],
            system: ["Glibc", "Synchronization"]),
        Row(
            "Samplers", ["CRealtime", "CKernels", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SoundFonts"],
            system: ["Synchronization"]),
        Row(
            "PlugIns", ["Reports", "CPlugIns", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI"],
            system: ["Glibc", "Synchronization"]),
        Row("Sequencer", ["Reports", "RealtimeCore", "MIDI"]),
        Row("SongFiles", ["CSMF", "MIDI", "Sequencer", "Reports"], system: ["Glibc"]),
        Row("SongBook", ["MIDI", "Sequencer"]),
        Row("MakeSongs", ["SongBook", "SongFiles"], system: ["Glibc"]),
        Row("SoundFontSynthesis"),
        Row("MakeSoundFont", ["SoundFontSynthesis"], system: ["Glibc"]),
        Row("SampleRate", ["CSoxr", "CSoxrRender", "Reports", "DSP"]),
        Row("Convolution", ["CRealtime", "CKernels", "Reports", "RealtimeCore", "DSP", "UnitAPI", "AudioFiles", "SampleRate"]),
        Row("TimePitch", ["CRealtime", "CRubberBand", "Reports", "RealtimeCore", "DSP", "UnitAPI"]),
        Row(
            "VoiceProcessing", ["CRealtime", "CSpeexDSP", "Reports", "RealtimeCore", "DSP", "UnitAPI"],
            system: ["Synchronization"]),
        Row("Graphs", ["Reports", "CRealtime", "RealtimeCore", "MIDI", "UnitAPI"], system: ["Synchronization"]),
        Row("Document", ["CYAML", "Reports", "UnitAPI"], system: ["Glibc"]),
        Row("Patches", ["Reports", "DSP", "MIDI", "UnitAPI", "Document"], system: ["Glibc"]),
        Row(
            "RemoteIO", ["CRealtime", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "SampleRate", "Graphs"],
            system: ["Glibc", "Synchronization"]),
        Row(
            "ALSA",
            ["CALSA", "CALSARender", "CRealtime", "Reports", "RealtimeCore", "DSP", "MIDI", "SampleRate", "Graphs", "RemoteIO"],
            system: ["Glibc", "Synchronization"]),
        Row("JACK", ["CJACK", "CRealtime", "DSP", "RemoteIO"], system: ["Glibc", "Synchronization"]),
        Row("PipeWire", ["CPipeWire", "CRealtime", "DSP", "RemoteIO"], system: ["Glibc"]),
        Row(
            "EngineCore",
            [
                "CGLib", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts",
                "FluidSynthUnit", "Samplers", "PlugIns", "Sequencer", "SongFiles", "SampleRate", "Convolution", "TimePitch",
                "VoiceProcessing", "Graphs", "Document", "Patches", "RemoteIO", "ALSA", "JACK", "PipeWire",
            ], system: ["Glibc", "Synchronization"]),
        Row(
            "SongRendering",
            [
                "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "FluidSynthUnit",
                "Samplers", "PlugIns", "Sequencer", "SongFiles", "Graphs", "Document", "Patches", "RemoteIO", "EngineCore",
            ], system: ["Glibc"]),
        Row(
            "Sessions",
            [
                "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "PlugIns", "Sequencer",
                "SongFiles", "TimePitch", "Graphs", "Document", "Patches", "RemoteIO", "ALSA", "EngineCore", "SongRendering",
            ], system: ["Glibc", "Synchronization"]),
        Row(
            "Carillon",
            [
                "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "SoundFonts", "FluidSynthUnit", "Samplers",
                "Sequencer", "SongFiles", "SampleRate", "Convolution", "TimePitch", "VoiceProcessing", "Graphs", "Patches",
                "RemoteIO", "EngineCore", "SongRendering", "Sessions",
            ]),
        Row("Control", ["Reports", "UnitAPI", "Carillon"], system: ["Glibc", "Synchronization"]),
        Row(
            "Installations", ["Reports", "UnitAPI", "Document", "Patches", "Carillon", "Control"],
            system: ["Glibc", "Synchronization"]),
        Row(
            "Corpus", ["Reports", "DSP", "AudioFiles", "Carillon"], system: ["FoundationEssentials", "Glibc", "Synchronization"]),
        Row(
            "CarillonCommand",
            [
                "CProgram", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "AudioFiles", "PlugIns", "SongFiles", "Document",
                "Patches", "ALSA", "JACK", "PipeWire", "Carillon", "Control", "Installations", "Corpus",
            ], system: ["ArgumentParser", "FoundationEssentials", "Glibc", "Synchronization"]),
        Row("CPageData"),
        Row(
            "Gateway", ["CLO", "CPageData"],
            system: ["FoundationEssentials", "Glibc", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"]),
        Row("GatewayCommand", ["CProgram", "Gateway"], system: ["ArgumentParser", "Glibc"]),
        Row("Fuzz", ["MIDI", "Sequencer", "SongFiles", "Patches", "AudioFiles", "Carillon"], system: ["Glibc"]),
        Row("CMacTypes"), Row("CCoreAudioTypes"), Row("CCoreAudio"), Row("CCoreMIDI"), Row("CAudioToolbox"),
        Row("CoreFoundation", ["CMacTypes"], system: ["Foundation", "FoundationNetworking", "Synchronization"]),
        Row("os"), Row("PlaygroundSupport", ["CoreFoundation"], system: ["Synchronization"]),
        Row("CoreAudioTypes", ["CCoreAudioTypes", "CoreFoundation"]),
        Row("CoreMIDI", ["CCoreMIDI", "CoreAudioTypes", "RemoteIO", "ALSA"]),
        Row("CoreAudio", ["CCoreAudio", "CoreAudioTypes", "ALSA", "EngineCore"], system: ["Synchronization"]),
        Row(
            "AudioToolbox",
            [
                "CAudioToolbox", "CoreAudioTypes", "CoreAudio", "CoreMIDI", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI",
                "Units", "AudioFiles", "Sequencer", "SongFiles", "SampleRate", "Graphs", "RemoteIO", "EngineCore",
            ], system: ["Synchronization"]),
        Row("AudioUnit", ["AudioToolbox"]), Row("ApplicationServices", ["CoreFoundation"]),
        Row(
            "AVFAudio",
            [
                "AudioToolbox", "Reports", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "AudioFiles", "Samplers",
                "SampleRate", "TimePitch", "Graphs", "RemoteIO", "EngineCore",
            ], system: ["Synchronization"]),
        Row("AVFoundation", ["AVFAudio"]),
        Row(
            "CarillonTestKit", ["CRealtime", "RTProbe", "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Graphs"],
            system: ["Glibc", "Synchronization"]),
    ]
    /// The modules with Apple's names and the headers below them: `Sources/Apple`.
    static let apple = Set(SourceTree.sources.filter { $0.path.hasPrefix("Sources/Apple/") }.map(\.module))
    /// No waiting, no files, no locale: what must never be imported where sound is made.
    static let renderSide = [
        "RealtimeCore", "DSP", "MIDI", "UnitAPI", "Units", "FluidSynthUnit", "Samplers", "Convolution", "TimePitch",
        "VoiceProcessing",
        "PlugIns", "Graphs",
    ]

    @Test func everyModuleStandsInTheTable() {
        let folders = Set(SourceTree.sources.map(\.module))
        #expect(folders.count > 10, "the tree was not found")
        let rows = Set(Self.table.map(\.module))
        #expect(folders.subtracting(rows).sorted() == [], "modules without a row: add one in import order")
        #expect(rows.subtracting(folders).sorted() == [], "rows without a module")
    }

    /// A type that hides its module could not be qualified: `Graph.Bus` would be looked for in the struct.
    @Test func noPublicTypeHasTheNameOfAModule() {
        let declaration =
            /^(?:@\w+ )*(?:public|open) (?:(?:final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        // Apple's module of that name declares nothing.
        let modules = Set(Self.table.map(\.module)).subtracting(["AudioUnit"])
        for file in SourceTree.sources where file.isSwift && file.module != "SongBook" {
            for line in file.lines {
                guard let name = line.firstMatch(of: declaration)?.output.1 else { continue }
                #expect(!modules.contains(String(name)), "\(file): a module is called \(name)")
            }
        }
    }

    @Test func theTableItselfImportsUpwardOnly() {
        for (index, row) in Self.table.enumerated() {
            for name in row.imports {
                let above = Self.table.firstIndex { $0.module == name }
                #expect(above.map { $0 < index } == true, "\(row): \(name) does not stand above it")
            }
        }
    }

    @Test(arguments: table) func aModuleImportsWhatItsRowAllows(_ row: Row) {
        for file in SourceTree.sources where file.module == row.module && file.isSwift {
            for name in file.imports where !row.imports.contains(name) && !row.system.contains(name) {
                Issue.record("\(file) imports \(name), but \(row)")
            }
        }
    }

    /// What has Apple's names stands on the engine, and nothing stands on it: `tools/carillon` builds none of it.
    @Test func onlyApplesModulesImportApples() {
        #expect(Self.apple.isSuperset(of: ["CoreFoundation", "CoreAudioTypes"]))
        for file in SourceTree.sources where !Self.apple.contains(file.module) {
            for name in file.imports where Self.apple.contains(name) { Issue.record("\(file) imports \(name)") }
        }
    }

    /// Lilv looks into its folders once in a process: the tests' own plug-ins must be there before anybody asks.
    @Test func testsAskForPlugInsInOnePlace() {
        for file in SourceTree.tests where !["PlugInsTests", "ArchitectureTests"].contains(file.module) {
            #expect(!file.imports.contains("PlugIns") && !file.text.contains("addPlugIn"), "\(file): belongs to PlugInsTests")
        }
    }

    /// A built tree has the modules of all targets, so a test that imports one that its target does not depend on fails in a fresh
    /// tree alone.
    @Test func testsImportWhatTheirTargetsDependOn() throws {
        var dependencies: [String: Set<String>] = [:]
        let manifest = try SourceTree.text("Package.swift")
        for target in manifest.matches(of: /arget\(\s*name: "(\w+)"(?:, *|,\s*)dependencies: \[((?:[^\[\]])*)\]/) {
            dependencies[String(target.1)] = Set(target.2.matches(of: /"([\w-]+)"/).map { String($0.1) })
        }
        #expect(dependencies["CarillonTests"]?.contains("Sessions") == true, "the manifest was not understood")
        let own = Set(Self.table.map(\.module))
        for file in SourceTree.tests where dependencies[file.module] != nil {
            var reached: Set<String> = [], open = [file.module]
            while let module = open.popLast() {
                if reached.insert(module).inserted { open += dependencies[module] ?? [] }
            }
            for name in file.imports where own.contains(name) {
                #expect(reached.contains(name), "\(file) imports \(name), which \(file.module) does not depend on")
            }
        }
    }

    @Test func theRenderSideKnowsNoFoundation() {
        for file in SourceTree.sources where Self.renderSide.contains(file.module) {
            for name in file.imports { #expect(!name.hasPrefix("Foundation") && name != "Dispatch", "\(file) imports \(name)") }
        }
    }

    @Test(arguments: [
        "CFluidSynth", "CSoundFontData", "CSMF", "CSndFile", "CEBUR128", "CSoxr", "CSoxrRender", "CRubberBand",
        "CSpeexDSP", "CALSA", "CALSARender", "CYAML", "CLO", "CMySOFA", "CJACK", "CPipeWire",
    ])
    func aLibraryIsCalledInOnePlace(_ library: String) {
        let users = SourceTree.sources.filter { $0.isSwift && $0.imports.contains(library) }
        #expect(Set(users.map(\.module)).count == 1, "\(library) is imported by \(users)")
        // Of libsndfile one file reads and writes sound, one what stands around packets. Of libfluidsynth one file calls the control side, one silences its log, one renders; of libasound one file each
        // the sequencer, its queue that sends, its messages as bytes, PCM, the cards, their mixers; one codes the sequencer's events,
        // one its error texts.
        let limit = ["CSndFile": 2, "CFluidSynth": 3, "CALSA": 8][library] ?? 1
        #expect(users.count <= limit, "\(library) is called in \(users)")
    }

    /// Lilv is no module of its own: it is looked up when used.
    @Test func lilvIsCalledInOneFile() {
        let callers = SourceTree.sources.filter { $0.isSwift && $0.text.contains("lilv_table") }
        #expect(callers.map(\.name) == ["LilvCalls.swift"])
    }

    @Test func targetsStandInTheManifestInTheTablesOrder() throws {
        let manifest = try SourceTree.text("Package.swift")
        var last = manifest.startIndex
        for row in Self.table {
            // An executable is called by its program's name, and says where its sources lie.
            let isNamed = manifest.contains("name: \"\(row.module)\"")
            let word = isNamed ? "name: \"\(row.module)\"" : "/\(row.module)\""
            guard let place = manifest.range(of: word, range: last..<manifest.endIndex) else {
                Issue.record("Package.swift has no target \(row.module) below the row before it")
                continue
            }
            last = place.upperBound
        }
    }
}
