import { readLogin, readNodes, readOptions, type AddressNode } from './address-parts.js';

/**
 * The address for one half of the platform database: `mysql://user:password@host:port/database?tls=required`.
 * Several hosts, separated by commas, are a primary and its standbys. The server that accepts writes is used.
 */
export interface PlatformAddress {
  /** The servers, in the order in which they are tried. There is at least one. */
  readonly nodes: readonly AddressNode[];
  readonly user: string;
  readonly password: string;
  /** The name of the database. Empty if the address contains none. */
  readonly database: string;
  readonly tls: 'off' | 'required';
}

const FORM = /^mysql:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const TLS = new Set(['off', 'required']);

/** Parses an address of the platform database. Returns null if the text is malformed. */
export function parsePlatformAddress(text: string): PlatformAddress | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  try {
    const nodes = readNodes(match[2] ?? '', 3_306);
    const options = readOptions(match[4] ?? '', ['tls']);
    const tls = options?.get('tls') ?? 'off';
    // A misspelled option is rejected. If `tls` were ignored, the connection would not be encrypted.
    if (nodes === null || options === null || !TLS.has(tls)) return null;
    const { user, password } = readLogin(match[1] ?? '');
    return {
      nodes,
      user: user ?? '',
      password: password ?? '',
      database: decodeURIComponent(match[3] ?? ''),
      tls: tls === 'required' ? 'required' : 'off',
    };
  } catch {
    // A `%` in the text is not followed by two hexadecimal digits.
    return null;
  }
}

export function isPlatformAddress(text: string): boolean {
  return parsePlatformAddress(text) !== null;
}

/** The description of this address format in the configuration reference. */
export const PLATFORM_FORM =
  '`mysql://user:password@host:port/database`; add `?tls=required` for TLS; list `host:port,host:port` for a primary and its standbys';
