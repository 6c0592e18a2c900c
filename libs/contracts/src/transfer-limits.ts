/** The maximum size in bytes of a compressed file. */
export const TRANSFER_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** The maximum number of files in a project. */
export const TRANSFER_FILES_MAX = 50;
/** The maximum total size in bytes of a project's files, which are stored in the platform database. */
export const TRANSFER_TOTAL_BYTES_MAX = 40 * 1024 * 1024 * 1024;
/** The maximum number of uploads in a project that are received or read at the same time. */
export const TRANSFER_UPLOADS_MAX = 5;
/** The number of days for which a file is stored. */
export const TRANSFER_KEPT_DAYS = 7;
