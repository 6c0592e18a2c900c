import { readLogin, readNodes, readOptions, type AddressNode } from './address-parts.js';

/**
 * Where one half of the platform database is: `mysql://user:password@host:port/database?tls=required`. Several hosts, parted
 * by commas, are a primary and those that stand in for it: whichever takes writes is used.
 */
export interface PlatformAddress {
  /** One at least, in the order in which they are tried. */
  readonly nodes: readonly AddressNode[];
  readonly user: string;
  readonly password: string;
  /** '' where none is named. */
  readonly database: string;
  readonly tls: 'off' | 'required';
}

const FORM = /^mysql:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const TLS = new Set(['off', 'required']);

/** Null: `text` has not that form. */
export function parsePlatformAddress(text: string): PlatformAddress | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  try {
    const nodes = readNodes(match[2] ?? '', 3_306);
    const options = readOptions(match[4] ?? '', ['tls']);
    const tls = options?.get('tls') ?? 'off';
    // An option that is misspelt must not leave the line in the clear.
    if (nodes === null || options === null || !TLS.has(tls)) return null;
    const { user, password } = readLogin(match[1] ?? '');
    return { nodes, user: user ?? '', password: password ?? '', database: decodeURIComponent(match[3] ?? ''), tls: tls === 'required' ? 'required' : 'off' };
  } catch {
    // A `%` with no digits behind it.
    return null;
  }
}

export function isPlatformAddress(text: string): boolean {
  return parsePlatformAddress(text) !== null;
}

/** The words of the configuration reference, behind what lies there. */
export const PLATFORM_FORM = '`mysql://user:password@host:port/database`; `?tls=required` for TLS; `host:port,host:port` for a primary and those that stand in for it';
