import { parseMysqlUrl, readTlsWord } from './mysql-admin.mjs';
import { LauncherError } from '../report.mjs';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Reads the server that `MYSQL_URL` or `PLATFORM_MYSQL_URL` names. The `tls` parameter of the address sets
 * whether TLS is used, and `MYSQL_TLS` applies if the address has none. By default, TLS is required for
 * servers on other machines. The setting applies to the launcher's sessions and to those of all processes.
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
  if (tls === 'off')
    return /secure transport/i.test(err.message) ? 'Add ?tls=required to the address.' : undefined;
  if (/does not support secure connection/i.test(err.message))
    return 'The server does not support TLS. If you trust the network between this machine and the server, add ?tls=off to the address.';
  if (/certificate|altname|issuer|self.signed/i.test(`${err.code} ${err.message}`))
    return (
      'The certificate must be for the host name in the address, and from a CA that Node trusts. ' +
      'Add your CA with NODE_EXTRA_CA_CERTS=<file>.'
    );
  return undefined;
}
