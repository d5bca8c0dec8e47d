// Errors and nodes of files are part of this module's interface.
@_exported import Document
