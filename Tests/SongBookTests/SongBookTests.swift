import Testing
@testable import SongBook
