/** The most that a file may hold, compressed. */
export const TRANSFER_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** Files that a project may have at a time. */
export const TRANSFER_FILES_MAX = 50;
/** What they may hold together: they lie in the platform's own database. */
export const TRANSFER_TOTAL_BYTES_MAX = 40 * 1024 * 1024 * 1024;
/** Uploads of a project that come in, or are read, at a time. */
export const TRANSFER_UPLOADS_MAX = 5;
/** How long a file is kept. */
export const TRANSFER_KEPT_DAYS = 7;
