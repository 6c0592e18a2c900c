import type { AdminTarget } from './admin-connection.js';

/** Throws a plain error that does not repeat the address, since it may hold a password. */
export function parseMysqlUrl(url: string): AdminTarget {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error('a MySQL address looks like mysql://user:password@host:3306/database');
  }
  const database = decodeURIComponent(parsed.pathname.slice(1));
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    ...(database === '' ? {} : { database }),
    tls: parsed.searchParams.get('tls') === 'required' ? 'required' : 'off',
  };
}
