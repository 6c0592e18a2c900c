/** Sessions that a connection user may hold at once; the servers enforce it. */
export const USER_SESSIONS_MAX = 20;

/** Live connection users of a database. Each has sessions on a server that others share, whose sessions are limited. */
export const CONNECTION_USERS_MAX = 20;
