import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

const INNER_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private)\.?$/i;

/**
 * Returns what is wrong with a model address that a tenant chose, or null. The name is not resolved here. The
 * resolved address is checked again with every connection.
 *
 * @param allowsPrivate whether the operator allows models in private networks
 */
export function findAddressFault(baseUrl: string, allowsPrivate: boolean): string | null {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    return 'This is not a valid URL. Use the form https://api.example.com/v1.';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The address must begin with https://.';
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user name or password. Enter the API key in its own field.';
  if (url.search !== '' || url.hash !== '')
    return 'The address must not contain ? or #, because /chat/completions is appended to it.';
  if (allowsPrivate) return null;
  if (url.protocol === 'http:')
    return 'The address must begin with https://, because the API key and the schema are sent to it.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInner = isIP(host) === 0 ? INNER_NAME.test(host) || !host.includes('.') : !isPublicAddress(host);
  return isInner ? 'This address is not on the public internet.' : null;
}
