internal import CSQLite

// Extended result codes are macros with a shift in them, which Swift does not import.

/// Fewer bytes were there than asked for; the rest of the buffer is zero.
let ioErrorShortRead: CInt = SQLITE_IOERR | 2 << 8

/// The file to delete does not exist.
let ioErrorDeleteNoEntry: CInt = SQLITE_IOERR | 23 << 8
