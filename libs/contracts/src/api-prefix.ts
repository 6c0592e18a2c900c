/** The path prefix of the data API. */
export const API_PREFIX = '/v1/-';
