import ArgumentParser

/// Whether songs may bring SoundFonts of their own: the same for all commands that read songs.
struct BankArguments: ParsableArguments {
    @Flag(help: "Leave SoundFonts alone that lie inside songs (RMID); else they answer first, for their song.")
    var noEmbeddedBank = false
}
