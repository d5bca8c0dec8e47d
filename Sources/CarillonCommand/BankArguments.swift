import ArgumentParser

/// The flag that keeps SoundFonts inside songs from playing them: the same for all commands that read songs.
struct BankArguments: ParsableArguments {
    @Flag(help: "Leave SoundFonts alone that lie inside songs (RMID); else they answer first, for their song.")
    var noEmbeddedBank = false
}
