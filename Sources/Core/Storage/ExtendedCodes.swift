internal import CSQLite

// Extended result codes are macros with a shift in them, which Swift does not import.

/// An extended code of `SQLITE_IOERR`.
func ioError(_ detail: CInt) -> CInt { SQLITE_IOERR | detail << 8 }

/// The file had fewer bytes than requested; the rest of the buffer is zero.
let ioErrorShortRead = ioError(2)

/// The file to delete does not exist.
let ioErrorDeleteNoEntry = ioError(23)

/// The index of a log could not be extended.
let ioErrorIndexSize = ioError(19)

/// The length of a file could not be read.
let ioErrorFileStatus = ioError(7)

/// The existence of a file could not be checked.
let ioErrorAccess = ioError(13)
