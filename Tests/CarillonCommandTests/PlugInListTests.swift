import TestFolders
import Testing

/// What `carillon units` says of LV2 plug-ins, and that nobody who asks for none meets lilv.
@Suite struct PlugInListTests {
    @Test func plugInsAreListedWhereTheyAreAskedFor() {
        let folder = TemporaryFolder()
        let list = Program.run(["units", "--plug-ins"], in: folder)
        #expect(list.exitCode == 0 && list.text.contains("lv2:mda-delay"))
        let usual = Program.run(["units"], in: folder)
        #expect(usual.exitCode == 0 && !usual.text.contains("lv2:"))
    }

    @Test func onePlugInIsShownWithParametersAndPresets() {
        let folder = TemporaryFolder()
        let shown = Program.run(["units", "lv2:mda-leslie"], in: folder)
        #expect(shown.exitCode == 0)
        for text in ["http://drobilla.net/plugins/mda/Leslie", "presets:", "default", "an LV2 plug-in"] {
            #expect(shown.text.contains(text), "\(text)")
        }
    }

    @Test func oneThatIsNotInstalledIsRefusedInOneLine() {
        let folder = TemporaryFolder()
        let refused = Program.run(["units", "lv2:mda-dely"], in: folder)
        #expect(refused.exitCode == 69)
        #expect(refused.errors.contains("did you mean lv2:mda-delay?"))
        #expect(refused.errors.split(separator: "\n").count == 1)
    }

    /// Lilv is looked up when used: the loader is asked what it loads.
    @Test func lilvIsLoadedForPlugInsAlone() {
        let folder = TemporaryFolder()
        let usual = Program.run(["units"], in: folder, environment: ["LD_DEBUG": "libs"])
        #expect(!usual.errors.contains("liblilv"))
        let list = Program.run(["units", "lv2:mda-delay"], in: folder, environment: ["LD_DEBUG": "libs"])
        #expect(list.errors.contains("liblilv"))
    }
}
