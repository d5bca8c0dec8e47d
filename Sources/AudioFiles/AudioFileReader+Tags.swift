extension AudioFileReader {
    /// The texts and cue points of the file, the first hundred of these.
    public var tags: AudioTags { SndFileCalls.tags(file) }
}
