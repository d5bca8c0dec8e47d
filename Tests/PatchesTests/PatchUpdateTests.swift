import CarillonTestKit
import Patches
import Testing
import UnitAPI

/// Saving: what a person wrote stays.
@Suite struct PatchUpdateTests {
    static let units = TestCatalogue.units

    static let source = """
        # The organ of Sunday.
        version: 1   # of the form

        # What sounds.
        units:
          # The organ itself.
          organ:          # three stops
            unit: square-wave
            decay: 0.5    # short
            # Loud enough.
            gain: ["0 dB", -3dB]   # left, right
            inputs: 3
          # To be removed.
          echo: {unit: reverb, decay: '3 s'}

          hall:
            unit: reverb

            level: 2
            # Nothing stands below this.
          mixer:
            inputs: 4

        connections:
          - organ  ->  hall -> mixer   # the wet way
          # The dry way.
          - organ -> mixer[1]
          - organ -> echo -> mixer[2]
        outputs: [mixer]   # all of it
        # The end.

        """

    private func read(_ text: String) throws -> Patch { try PatchFile(text: text, units: Self.units).patch }
    private func updated(_ change: (inout Patch) -> Void) throws -> String {
        var patch = try read(Self.source)
        change(&patch)
        let text = try PatchFile.update(source: Self.source, to: patch, units: Self.units)
        #expect(try read(text) == patch)
        return text
    }

    @Test func bracesStayBraces() throws {
        let source = """
            version: 1
            units:
              hall: {unit: reverb, decay: 1 s, "level": 2, mute: off}  # far
              room: { unit: reverb }  # near
              cave: {}
              reverb: {decay: '1 s', }
              mixer: {inputs: 2}
            controllers:
              # The first knob.
              far: {control: 1, parameter: "hall.gain[0]", pick-up: off}  # of three
            """
        var patch = try read(source.replacing("  cave: {}\n", with: ""))
        let start = source.replacing("  cave: {}\n", with: "")
        patch[unit: "hall"]?.values["decay"] = [2]
        patch[unit: "hall"]?.values["level"] = [3]
        patch[unit: "hall"]?.values["mute"] = [1]
        patch[unit: "room"]?.values["gain"] = [-3]
        patch.controllers[0].picksUp = true
        patch.controllers[0].control = .bend
        let text = try PatchFile.update(source: start, to: patch, units: Self.units)
        #expect(
            text
                == start.replacing("decay: 1 s, \"level\": 2, mute: off}  #", with: "decay: 2 s, \"level\": 3, mute: on}  #")
                .replacing("{ unit: reverb }", with: "{ unit: reverb, gain: -3 dB }")
                .replacing("{control: 1, ", with: "{control: bend, ").replacing("pick-up: off}", with: "pick-up: on}"))
        // Where braces cannot be kept, what they mean is.
        patch[unit: "reverb"]?.values["level"] = [2]
        patch[unit: "hall"]?.values["decay"] = nil
        #expect(try read(PatchFile.update(source: start, to: patch, units: Self.units)) == patch)
    }

    @Test func whatDoesNotChangeIsNotTouched() throws {
        #expect(try updated { _ in } == Self.source)
    }

    @Test func aValueChangesInItsPlace() throws {
        let text = try updated {
            $0[unit: "organ"]?.values["decay"] = [0.25]
            $0[unit: "organ"]?.values["gain"] = [0, -6]
            $0[unit: "hall"]?.values["level"] = [3]
        }
        #expect(
            text
                == Self.source.replacing("decay: 0.5 ", with: "decay: 250 ms ").replacing(
                    "[\"0 dB\", -3dB]", with: "[0 dB, -6 dB]"
                )
                .replacing("level: 2", with: "level: 3"))
    }

    @Test func whatComesAndGoesIsAllThatChanges() throws {
        let text = try updated {
            $0[unit: "echo"] = nil
            $0.connections.removeAll { $0.from.unit == "echo" || $0.to.unit == "echo" }
            $0[unit: "hall"]?.values["mute"] = [1]
            $0[unit: "organ"]?.values["gain"] = nil
            $0[unit: "delay"] = PatchUnit("delay", "reverb")
            $0.connections.append(.init(PatchPort("delay"), to: PatchPort("mixer", 3)))
            $0.outputs = [PatchPort("hall", 1)]
        }
        let expected = Self.source
            .replacing("  # To be removed.\n  echo: {unit: reverb, decay: '3 s'}\n", with: "")
            .replacing("    # Loud enough.\n    gain: [\"0 dB\", -3dB]   # left, right\n", with: "")
            .replacing("    level: 2\n", with: "    level: 2\n    mute: on\n")
            .replacing("    inputs: 4\n", with: "    inputs: 4\n\n  delay:\n    unit: reverb\n")
            .replacing("organ -> echo -> mixer[2]", with: "delay -> mixer[3]")
            .replacing("[mixer]", with: "hall[send]")
        #expect(lines(text) == lines(expected), "\(text)")
    }

    /// Without empty lines: where those go is a matter of taste.
    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.isEmpty } }

    @Test func unitsChangeTheirOrderWithTheirComments() throws {
        let text = try updated { $0.units.swapAt(0, 2) }
        let place = try #require(text.firstRange(of: "  # The organ itself.\n  organ:          # three stops\n"))
        #expect(try #require(text.firstRange(of: "  hall:")).lowerBound < place.lowerBound)
        #expect(text.split(separator: "\n").count == Self.source.split(separator: "\n").count)
    }

    @Test func anyPatchMayBecomeAnyOther() throws {
        var patches = RandomPatch(seed: 21), random = SeededRandom(seed: 22)
        var old = patches.nextForFiles(&random)
        for count in 0..<100 {
            let new = patches.nextForFiles(&random)
            let source = try PatchFile.text(of: old, units: Self.units, heading: "Mine.", isCommented: count % 2 == 0)
            let text = try PatchFile.update(source: source, to: new, units: Self.units)
            #expect(try read(text) == new)
            #expect(text.hasPrefix("# Mine.\n"))
            old = new
        }
    }

    @Test func otherLineBreaksAndMarginsAreKept() throws {
        let source =
            "\u{FEFF}version: 1\r\nunits:\r\n      a:\r\n         unit: reverb # x\r\n         decay: 1 s # y\r\noutputs: a"
        var patch = try read(source)
        patch.units[0].values["decay"] = [2]
        #expect(
            try PatchFile.update(source: source, to: patch, units: Self.units) == source.replacing("1 s #", with: "2 s #"))
        patch.units.append(PatchUnit("b", "mixer"))
        patch.soundFonts = ["a.sf2"]
        #expect(try read(PatchFile.update(source: source, to: patch, units: Self.units)) == patch)
    }

    @Test func whatCannotBeKeptIsSaid() throws {
        let source = "version: 1\nunits:\n  a: &x {unit: reverb, decay: 1 s}\n  b: *x\n"
        var patch = try read(source)
        patch.units[0].values["decay"] = [2]
        do {
            _ = try PatchFile.update(source: source, to: patch, units: Self.units)
            Issue.record("it was changed")
        } catch { #expect(error.fault == .cannotKeep) }
        do {
            _ = try PatchFile.update(source: "{version: 1}", to: patch, units: Self.units)
            Issue.record("it was changed")
        } catch { #expect(error.fault == .cannotKeep) }
    }
}
