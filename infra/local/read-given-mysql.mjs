import { parseMysqlUrl, readTlsWord } from './mysql-admin.mjs';
import { LauncherError } from './report.mjs';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Reads the server that `MYSQL_URL` or `PLATFORM_MYSQL_URL` names. The address decides about TLS, or else
 * `MYSQL_TLS`. By default TLS is required of every server that is not on this machine. This applies to the
 * launcher's own sessions and to those of the processes.
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {'MYSQL_URL' | 'PLATFORM_MYSQL_URL'} [variable] the variable that holds the address
 * @returns {Required<import('./mysql-admin.mjs').MysqlAddress>}
 * @throws {LauncherError}
 */
export function readGivenMysql(url, env, variable = 'MYSQL_URL') {
  try {
    const address = parseMysqlUrl(url);
    const word = env['MYSQL_TLS'];
    const usual = word ? readTlsWord(word, 'MYSQL_TLS') : LOOPBACK.has(address.host) ? 'off' : 'required';
    return { ...address, tls: address.tls ?? usual };
  } catch (err) {
    throw new LauncherError(`${variable} cannot be used: ${/** @type {Error} */ (err).message}.`);
  }
}

/**
 * Returns a hint for a connection that failed because of TLS. Returns undefined for other errors.
 * @param {Error & {code?: string}} err
 * @param {'off' | 'required'} tls the requested mode
 * @returns {string | undefined}
 */
export function hintAtTls(err, tls) {
  if (tls === 'off') return /secure transport/i.test(err.message) ? 'Write ?tls=required behind the address.' : undefined;
  if (/does not support secure connection/i.test(err.message)) return 'The server has no TLS. Where nobody can listen on the way to it, write ?tls=off behind the address.';
  if (/certificate|altname|issuer|self.signed/i.test(`${err.code} ${err.message}`)) return 'The certificate has to be for the host as the address names it, and of an authority that Node knows: NODE_EXTRA_CA_CERTS=<file> adds yours.';
  return undefined;
}
