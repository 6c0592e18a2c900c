import { BlockList, isIP } from 'node:net';

const HTTPS_PORT = 443;
const INNER_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private)\.?$/i;

/** The IPv4 ranges of this machine, of private networks and of addresses that are not in use. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/**
 * The range of IPv6 addresses that are allocated. Ranges for embedded IPv4 addresses and for documentation
 * are excluded.
 */
const GIVEN_OUT_V6 = ['2000::', 3] as const;
const NOT_PUBLIC_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) closed.addSubnet(network, prefix, 'ipv6');
const provided = new BlockList();
provided.addSubnet(...GIVEN_OUT_V6, 'ipv6');

/** Reports whether an IP address is publicly routable. Returns false for a text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return (
    family === 6 &&
    !address.includes('%') &&
    provided.check(address, 'ipv6') &&
    !closed.check(address, 'ipv6')
  );
}

/**
 * Returns what is wrong with a model address that a tenant chose, or null. The name is not resolved here. The
 * resolved address is checked again with every connection.
 *
 * @param allowsPrivate whether the operator allows models in private networks, and with them all ports
 * @param ports the ports that the operator allows on the public internet
 */
export function findAddressFault(
  baseUrl: string,
  { allowsPrivate, ports }: { readonly allowsPrivate: boolean; readonly ports: readonly number[] },
): string | null {
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
  // Tenants must not use the platform's address to probe other services of the internet.
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (!ports.includes(port)) return `The address must use the port ${ports.join(' or ')}, not ${port}.`;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInner = isIP(host) === 0 ? INNER_NAME.test(host) || !host.includes('.') : !isPublicAddress(host);
  return isInner ? 'This address is not on the public internet.' : null;
}
