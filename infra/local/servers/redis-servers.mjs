import { sendRedisCommand } from './redis-command.mjs';

/**
 * The parts of an address that names several Redis servers. The processes validate such addresses more
 * strictly.
 * @typedef {{kind: 'sentinel' | 'cluster', login: string, hosts: string[], primary: string, options: URLSearchParams}}
 *   SeveralRedis
 */
const SEVERAL = /^redis\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const PORTS = { sentinel: 26_379, cluster: 6_379 };

/**
 * Parses an address of several servers. Returns null for one server, and for anything else.
 * @param {string} url
 * @returns {SeveralRedis | null}
 */
export function readSeveralRedis(url) {
  const [, kind, login = '', hosts = '', primary = '', options = ''] = SEVERAL.exec(url) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return null;
  return {
    kind,
    login,
    hosts: hosts.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${PORTS[kind]}`)),
    primary: decodeURIComponent(primary),
    options: new URLSearchParams(options),
  };
}

/**
 * Returns the address of one server for `REDIS_URL`: the same address, the primary that a Sentinel names, or
 * a cluster node that answers.
 * @param {string} url
 * @returns {Promise<string>} `redis://…`
 * @throws {Error} when none of them answers
 */
export async function findRedisServer(url) {
  const several = readSeveralRedis(url);
  if (several === null) return url;
  const { kind, login, hosts, primary, options } = several;
  const toUrl = (/** @type {string} */ host) => `redis://${login === '' ? '' : `${login}@`}${host}`;
  /** @type {unknown} */
  let failure = new Error('it has no host');
  for (const host of hosts) {
    try {
      if (kind === 'cluster') {
        await sendRedisCommand(toUrl(host), ['PING']);
        return toUrl(host);
      }
      const [address, port] = await sendRedisCommand(toSentinelUrl(host, options), [
        'SENTINEL',
        'get-master-addr-by-name',
        primary,
      ]);
      if (!address || !port)
        throw new Error(`the Sentinel at ${host} does not report the address of the primary ${primary}`);
      return toUrl(`${address.includes(':') ? `[${address}]` : address}:${port}`);
    } catch (err) {
      failure = err;
    }
  }
  throw failure;
}

/** @param {string} host @param {URLSearchParams} options */
function toSentinelUrl(host, options) {
  const [user, password] = ['sentinel_user', 'sentinel_password'].map((name) =>
    encodeURIComponent(options.get(name) ?? ''),
  );
  return `redis://${password ? `${user}:${password}@` : ''}${host}`;
}
