// @ts-check

/**
 * @typedef {import('./stage.mjs').Isolation & Reach} Isolation the stage, and what attempts need besides
 *
 * @typedef {object} Reach
 * @property {(name: string) => boolean} isDown
 * @property {() => Promise<import('mysql2/promise').Connection>} openDirect over the attacker's own connection string, as owner
 * @property {() => Promise<import('mysql2/promise').Connection>} openPlatform with the same user and password, at the server of the platform database
 * @property {() => Promise<number>} otherSession the id of a session of the victim's
 * @property {(what: string) => Promise<boolean>} forgeRecord writes a key's record into Redis, and tells whether a gateway believed it
 * @property {(key: string) => Promise<void>} lendIdempotency as if the records of all tenants lay in one table, while that wall is down
 *
 * @typedef {object} Attempt
 * @property {string} road
 * @property {string} name
 * @property {readonly string[]} walls that have to be down for it to succeed; those of the database are `run-attempts.mjs`'s
 * @property {(s: Isolation) => Promise<boolean>} run whether the attacker got what it wanted
 */

/** @param {string} road @param {readonly string[]} walls @param {string} name @param {Attempt['run']} run @returns {Attempt} */
export function attempt(road, walls, name, run) {
  return { road, name, walls, run };
}

/** Refused at the door, or told that there is nothing. @param {import('../support/http.mjs').Answer} answer */
export function isLetIn({ status, json }) {
  return ![401, 403, 404].includes(status) && status < 500 && !String(json?.code ?? '').startsWith('auth.');
}
