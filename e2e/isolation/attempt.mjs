// @ts-check

/**
 * @typedef {import('./stage.mjs').Isolation & Reach} Isolation the two tenants, and the functions that
 *   attempts need
 * @typedef {object} Reach
 * @property {(name: string) => boolean} isDown returns whether the guard of this name is turned off
 * @property {() => Promise<import('mysql2/promise').Connection>} openDirect connects with the attacker's own
 *   connection string, as owner
 * @property {() => Promise<import('mysql2/promise').Connection>} openPlatform connects with the same user and
 *   password to the server of the platform database
 * @property {() => Promise<number>} otherSession returns the id of a session of the victim
 * @property {(what: string) => Promise<boolean>} forgeRecord writes a key's record into Redis, and returns
 *   whether a gateway accepted it
 * @property {(key: string) => Promise<void>} lendIdempotency copies the victim's idempotency record to the
 *   attacker, as if all tenants shared one table. Does nothing while the guard is on
 * @typedef {object} Attempt
 * @property {string} vector
 * @property {string} name
 * @property {readonly string[]} guards the names of the guards that must be off for the attempt to succeed;
 *   `run-attempts.mjs` turns off the guards of the database server
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
 * Returns whether a request got past access control. It did not if the response is a rejection or says that
 * the object does not exist.
 * @param {import('../support/http.mjs').HttpResponse} answer
 */
export function isLetIn({ status, json }) {
  return ![401, 403, 404].includes(status) && status < 500 && !String(json?.code ?? '').startsWith('auth.');
}
