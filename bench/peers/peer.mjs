// @ts-check
/**
 * A server that others have made, installed from npm when somebody asks for it. It speaks a dialect of its own.
 *
 * @typedef {object} Peer
 * @property {string} name
 * @property {readonly string[]} packages with their exact versions
 * @property {readonly string[]} cases that it can serve
 * @property {string} path behind which tables lie
 * @property {string | null} key sent as a bearer token
 * @property {(request: import('../lib/bench-case.mjs').BenchRequest) => import('../lib/bench-case.mjs').BenchRequest} toRequest the same in its dialect
 * @property {(text: string) => number} countRows of an answer
 * @property {(place: PeerPlace) => PeerStart} start
 *
 * @typedef {object} PeerPlace
 * @property {string} folder where its packages are installed
 * @property {number} port
 * @property {{ host: string, port: number, user: string, password: string, name: string }} database
 *
 * @typedef {object} PeerStart
 * @property {readonly string[]} args of Node
 * @property {Readonly<Record<string, string>>} env
 */
export {};
