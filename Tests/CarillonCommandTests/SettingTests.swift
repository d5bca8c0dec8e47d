import Carillon
import Testing

@testable import CarillonCommand
@testable import Corpus

/// Each setting of a render is an option of the command line, a field of a batch's job, and an argument in Python.
@Suite struct SettingTests {
    private static let names = RenderRequest.settings.filter { !$0.form.isOfCall }.map(\.name)

    /// Texts for settings that do not take each of `common`.
    private static let texts = [
        "tail": "exact", "from": "0s", "to": "bar 9", "mute": "10", "solo": "1-4", "only-channel": "2", "program": "1=40",
        "layer": "drums.mid", "soundfont": "embedded", "set": "reverb.decay=3s", "patch": "organ.yaml", "rate": "16k",
        "format": "flac", "bits": "24", "layout": "5.1", "loudness": "-20", "peak": "-2", "tag": "title=Canon",
        "labels": "json", "text-encoding": "cp1251",
    ]
    private static let common = ["3", "0.5", "20"]

    /// Settings that say nothing without another one.
    private static let needed = [
        "chase-notes": ["from": "0s"], "restrike": ["labels": "json"], "stems-wet": ["stems": "channel"],
        "stem-file": ["stems": "channel"], "stem-loudness": ["stems": "channel"],
    ]

    private func text(_ setting: Setting<RenderRequest>) throws -> String {
        var known = Self.texts[setting.name].map { [$0] } ?? Self.common
        // Drawings as PNG need a program.
        if case .words(let words) = setting.form.completion {
            known += setting.name == "picture-format" ? ["svg"] : words.reversed()
        }
        return try #require(
            known.first { text in
                var request = RenderRequest()
                do { try setting.take([text], into: &request) } catch { return false }
                return setting.name == "picture-format" || request != RenderRequest()
            }, "give an example of \(setting.name)")
    }

    private func words(_ fields: [String: String]) -> [String] {
        fields.sorted { $0.key < $1.key }.flatMap { name, text in text.isEmpty ? ["--\(name)"] : ["--\(name)", text] }
    }

    @Test(arguments: names) func eachSettingIsOnEverySurface(_ name: String) throws {
        let setting = try #require(RenderRequest.settings.first { $0.name == name })
        var fields = Self.needed[name] ?? [:]
        fields[name] = setting.form.kind == .flag ? "" : try text(setting)
        // Jobs have the song's own level, and are WAV.
        let json = fields.map { name, text in "\"\(name)\": \(text.isEmpty ? "true" : "\"\(text)\"")" }.joined(separator: ", ")
        let job = try BatchJob(
            BatchJob.fields(of: "{\"song\": \"a.mid\", \(json)}", line: 1), line: 1, seed: "", recipe: { _ in [:] })
        let options = try BatchOptions(job, known: Set(Self.names))
        #expect(options.passed.isEmpty)
        let request = try RenderRequest(options.given)
        for (name, texts) in options.given where fields[name] == nil { fields[name] = texts[0] }
        #expect(try RenderCommand.parse(words(fields) + ["a.mid"]).request() == request)
        // Python takes the names from here.
        #expect(RenderCommand.helpMessage(columns: 1_000).contains("--\(name) "))
    }

    @Test func optionsOfACallAreNoFields() throws {
        let ofCall = Set(RenderRequest.settings.filter(\.form.isOfCall).map(\.name))
        #expect(ofCall.contains("output") && ofCall.contains("jobs") && !ofCall.contains("rate"))
        let job = try BatchJob(
            BatchJob.fields(of: #"{"song": "a.mid", "jobs": 3}"#, line: 1), line: 1, seed: "", recipe: { _ in [:] })
        #expect(throws: Fault.self) { try BatchOptions(job, known: ofCall, refused: ofCall) }
    }
}
