import { readLogin, readNodes, readOptions, type AddressNode } from './address-parts.js';

/**
 * The address of one half of the platform database: `mysql://user:password@host:port/database?tls=required`.
 * Several hosts, separated by commas, are a primary and its standbys. The one that accepts writes is used.
 */
export interface PlatformAddress {
  /** At least one server, in the order in which they are tried. */
  readonly nodes: readonly AddressNode[];
  readonly user: string;
  readonly password: string;
  /** The name of the database; an empty string when the address names none. */
  readonly database: string;
  readonly tls: 'off' | 'required';
}

const FORM = /^mysql:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const TLS = new Set(['off', 'required']);

/** Parses an address. Returns null when the text is malformed. */
export function parsePlatformAddress(text: string): PlatformAddress | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  try {
    const nodes = readNodes(match[2] ?? '', 3_306);
    const options = readOptions(match[4] ?? '', ['tls']);
    const tls = options?.get('tls') ?? 'off';
    // Reject a misspelled option, because ignoring `tls` would leave the connection unencrypted.
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
    // A `%` is not followed by two hex digits.
    return null;
  }
}

export function isPlatformAddress(text: string): boolean {
  return parsePlatformAddress(text) !== null;
}

/** The description of the address format for the configuration reference. */
export const PLATFORM_FORM =
  '`mysql://user:password@host:port/database`; add `?tls=required` for TLS; list `host:port,host:port` for a primary and its standbys';
