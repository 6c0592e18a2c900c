// @ts-check
/**
 * A third-party server that is installed from npm on demand. It has its own request format.
 * @typedef {object} Peer
 * @property {string} name
 * @property {readonly string[]} packages with exact versions
 * @property {readonly string[]} cases the supported cases
 * @property {string} path the prefix of table paths
 * @property {string | null} key sent as a bearer token
 * @property {(request: import('../lib/bench-case.mjs').BenchRequest) =>
 *   import('../lib/bench-case.mjs').BenchRequest} toRequest converts a request to its format
 * @property {(text: string) => number} countRows counts the rows of a response
 * @property {(environment: PeerEnvironment) => PeerStart} start
 * @typedef {object} PeerEnvironment
 * @property {string} folder the folder with its installed packages
 * @property {number} port
 * @property {{ host: string, port: number, user: string, password: string, name: string }} database
 * @typedef {object} PeerStart
 * @property {readonly string[]} args of Node
 * @property {Readonly<Record<string, string>>} env
 */
export {};
