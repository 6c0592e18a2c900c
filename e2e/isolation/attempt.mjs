// @ts-check

/**
 * @typedef {import('./stage.mjs').Isolation & Reach} Isolation the stage, with what attempts need in addition
 * @typedef {object} Reach
 * @property {(name: string) => boolean} isDown
 * @property {() => Promise<import('mysql2/promise').Connection>} openDirect connects with the attacker's own
 *   connection string, as owner
 * @property {() => Promise<import('mysql2/promise').Connection>} openPlatform connects with the same user and
 *   password to the server of the platform database
 * @property {() => Promise<number>} otherSession returns the id of a session of the victim
 * @property {(what: string) => Promise<boolean>} forgeRecord writes a key's record into Redis, and returns
 *   whether a gateway accepted it
 * @property {(key: string) => Promise<void>} lendIdempotency acts as if the records of all tenants were in
 *   one table, while that guard is off
 * @typedef {object} Attempt
 * @property {string} vector
 * @property {string} name
 * @property {readonly string[]} guards the guards that must be off for it to succeed; `run-attempts.mjs` turns
 *   off those of the database
 * @property {(s: Isolation) => Promise<boolean>} run returns whether the attacker succeeded
 */

/**
 * @param {string} vector
 * @param {readonly string[]} guards
 * @param {string} name
 * @param {Attempt['run']} run
 * @returns {Attempt}
 */
export function attempt(vector, guards, name, run) {
  return { vector, name, guards, run };
}

/**
 * Returns whether a request got past access control. A rejection and an answer that there is nothing both
 * count as not let in.
 * @param {import('../support/http.mjs').HttpResponse} answer
 */
export function isLetIn({ status, json }) {
  return ![401, 403, 404].includes(status) && status < 500 && !String(json?.code ?? '').startsWith('auth.');
}
