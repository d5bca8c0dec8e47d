import ArgumentParser

/// The flag that keeps SoundFonts inside songs from playing them: the same for all commands that read songs.
struct BankArguments: ParsableArguments {
    @Flag(help: "Ignore SoundFonts embedded in songs (RMID); otherwise such a SoundFont has priority for its song.")
    var noEmbeddedBank = false
}
