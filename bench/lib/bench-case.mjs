// @ts-check
/**
 * One thing that every target is asked for. A case varies what it asks: a constant address flatters any cache.
 *
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {string} says in words
 * @property {(context: CaseContext) => BenchRequest} makeRequest
 * @property {(get: (path: string) => Promise<Response>, size: DataSize) => Promise<string[]>} [gather] what the requests are made from, asked of the target before the clock runs
 * @property {boolean} [isWrite] the data are filled anew behind it
 * @property {boolean} [readsAnswers] `lastBody` is wanted
 * @property {number} [connectionsMax]
 *
 * @typedef {object} CaseContext
 * @property {() => number} random gives [0, 1)
 * @property {DataSize} size
 * @property {readonly string[]} gathered
 * @property {string | null} lastBody what this connection was answered before
 *
 * @typedef {object} BenchRequest
 * @property {string} method
 * @property {string} path behind the target's base address
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
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
 * @property {readonly string[]} [cases] those that it can serve; all of them without it
 * @property {import('../peers/peer.mjs').Peer} [peer] whose dialect it speaks
 */
export {};
