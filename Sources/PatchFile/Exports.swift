// Errors and nodes of files are part of what this module says.
@_exported import Document
