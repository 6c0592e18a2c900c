/** The path prefix of the data API. */
export const API_PREFIX = '/v1/-';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The name of the file in which users save the certificate authority of a server. */
export const CA_FILE_NAME = 'rowhouse-ca.pem';

/** The maximum number of synonyms that a project can have. */
export const SYNONYMS_MAX = 500;
