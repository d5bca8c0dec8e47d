/// The command line of `carillon-fuzz`.
struct FuzzOptions {
    static let usage = """
        usage: carillon-fuzz [--first N] [--count N] [--seconds S] [--workers N] [--carillon FILE] [--songs FOLDER]
                             [--soundfont FILE] [--keep FOLDER] [--only TRIAL]
               carillon-fuzz --seed N [--write FILE]     one case in this process; FILE gets its bytes
        """

    var first = 1
    var count = 100_000
    /// Stop after so many seconds; nil for no limit.
    var seconds: Double?
    var workers = 2
    var carillon: String?
    var songs = "songs"
    var soundFont: String?
    /// Where files of findings are kept.
    var keep = ".build-program/fuzz"
    var seed: Int?
    var write: String?
    /// The trial of every case; nil: each seed says its own.
    var only: FuzzCase.Trial?
    /// Set by the supervisor: run the cases here and tell it through standard output.
    var isWorker = false

    init(_ arguments: [String]) throws(FuzzError) {
        var rest = arguments[...]
        func number(_ text: String, _ name: String) throws(FuzzError) -> Int {
            guard let value = Int(text), value >= 0 else { throw .usage("\(name): \(text) is no number") }
            return value
        }
        while let name = rest.popFirst() {
            if name == "--worker" {
                isWorker = true
                continue
            }
            guard let value = rest.popFirst() else { throw .usage("\(name): unknown, or its value is missing") }
            switch name {
            case "--first": first = try number(value, name)
            case "--count": count = try number(value, name)
            case "--seconds": seconds = Double(try number(value, name))
            case "--workers": workers = max(1, try number(value, name))
            case "--seed": seed = try number(value, name)
            case "--carillon": carillon = value
            case "--songs": songs = value
            case "--soundfont": soundFont = value
            case "--keep": keep = value
            case "--write": write = value
            case "--only":
                guard let trial = FuzzCase.Trial(rawValue: value) else { throw .usage("--only: there is no trial \(value)") }
                only = trial
            default: throw .usage("\(name): unknown")
            }
        }
    }

    func workerArguments(first: Int, last: Int, folder: String) -> [String] {
        var arguments = [
            "--worker", "--first", "\(first)", "--count", "\(last - first + 1)", "--workers", "\(workers)",
            "--songs", songs, "--keep", folder,
        ]
        if let only { arguments += ["--only", only.rawValue] }
        if let carillon { arguments += ["--carillon", carillon] }
        if let soundFont { arguments += ["--soundfont", soundFont] }
        return arguments
    }
}
