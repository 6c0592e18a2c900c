// @ts-check
/**
 * A request that every target must answer.
 * A case varies its requests, because caches would favor a constant path.
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {string} says a description
 * @property {(context: CaseContext) => BenchRequest} makeRequest
 * @property {(get: (path: string) => Promise<Response>, size: DataSize) => Promise<string[]>} [gather]
 *   collects data for the requests from the target before the measurement
 * @property {boolean} [isWrite] whether the rows are restored after the case
 * @property {boolean} [readsAnswers] whether `makeRequest` needs `lastBody`
 * @property {number} [connectionsMax]
 * @typedef {object} CaseContext
 * @property {() => number} random returns a number in [0, 1)
 * @property {DataSize} size
 * @property {readonly string[]} gathered
 * @property {string | null} lastBody the previous response body on this connection
 * @typedef {object} BenchRequest
 * @property {string} method
 * @property {string} path relative to the base URL of the target
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @typedef {object} DataSize the number of rows in each table; ids start at 1
 * @property {number} users
 * @property {number} posts
 * @property {number} comments
 * @property {number} tags
 * @typedef {object} BenchTarget
 * @property {string} name
 * @property {string} base the base URL with its prefix, such as `http://127.0.0.1:4100/v1/-`
 * @property {string | null} key
 * @property {number[]} pids the processes whose CPU time counts for the target, without its database
 * @property {readonly string[]} [cases] the supported cases; all of them by default
 * @property {import('../peers/peer.mjs').Peer} [peer] the peer that defines the request format
 */
export {};
