// @ts-check
/**
 * One thing that every target is asked for. A case varies what it asks: a constant address flatters any cache.
 *
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {string} says in words
 * @property {(random: () => number, size: DataSize) => BenchRequest} makeRequest `random` gives [0, 1)
 *
 * @typedef {object} BenchRequest
 * @property {string} method
 * @property {string} path behind the target's base address
 * @property {unknown} [body]
 *
 * @typedef {object} DataSize rows of each table; ids run from 1
 * @property {number} users
 * @property {number} posts
 * @property {number} comments
 * @property {number} tags
 *
 * @typedef {object} BenchTarget
 * @property {string} name
 * @property {string} base address with prefix: `http://127.0.0.1:4100/v1/-`
 * @property {string | null} key
 * @property {number[]} pids whose CPU time is charged to it, its database aside
 */
export {};
