// @ts-check
/**
 * @typedef {object} HostileNames the real names of what an attacker wants to reach
 * @property {string} vault a table that the key may not see
 * @property {string} pin a column of the vault
 * @property {string} hidden a hidden column of `users`
 * @property {string} schema the schema of the attacker's own database
 * @property {string} victimSchema the schema of the other tenant
 * @property {string} victimId
 * @property {string} victimSlug
 */

/** @typedef {{ name: string, texts: (names: HostileNames) => readonly string[] }} TextClass */

/** @param {string} name @param {readonly string[]} texts @returns {TextClass} */
export const fixed = (name, texts) => ({ name, texts: () => texts });
