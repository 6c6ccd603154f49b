internal import CSQLite

// Extended result codes are macros with a shift in them, which Swift does not import.

/// An extended code of `SQLITE_IOERR`.
func ioError(_ detail: CInt) -> CInt { SQLITE_IOERR | detail << 8 }

/// Fewer bytes were there than asked for; the rest of the buffer is zero.
let ioErrorShortRead = ioError(2)

/// The file to delete does not exist.
let ioErrorDeleteNoEntry = ioError(23)

/// The index of a log could not be made longer.
let ioErrorIndexSize = ioError(19)

/// The length of a file could not be asked for.
let ioErrorFileStatus = ioError(7)

/// Whether a file is there could not be asked for.
let ioErrorAccess = ioError(13)
