/** The published limits of the data API: `/health` tells them, the code keeps them. */
export const LIMITS = {
  bodyBytesMax: 8 * 1024 * 1024,
  urlBytesMax: 16 * 1024,
  headerBytesMax: 32 * 1024,
  rowsPerPageMax: 1_000,
  rowsPerBulkMax: 10_000,
  statementMsMax: 10_000,
  answerBytesMax: 64 * 1024 * 1024,
  requestsPerKeyMax: 256,
  queryRowsDefault: 1_000,
  queryRowsMax: 10_000,
  queriesPerDatabaseMax: 2,
} as const;

/** Where the data API hangs. */
export const API_PREFIX = '/v1/-';
