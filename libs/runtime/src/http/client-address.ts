import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Returns the IP address of a request's client. */
export type AddressReader = (req: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Creates a function that returns client addresses. Without trusted proxies, it returns the address of the
 * other end of the connection, whatever the headers contain. With trusted proxies, it reads `X-Forwarded-For`
 * from the right and returns the first address that is not trusted, because only entries from trusted proxies
 * are reliable.
 */
export function createAddressReader(trustedNetworks: readonly string[]): AddressReader {
  if (trustedNetworks.length === 0) return (req) => req.socket.remoteAddress ?? '';
  const isTrusted = createNetworkTest(trustedNetworks);
  // The last result is cached, because the address of the same request is often read several times in
  // succession.
  let last: Parameters<AddressReader>[0] | null = null;
  let lastAddress = '';
  return (req) => {
    if (req === last) return lastAddress;
    last = req;
    lastAddress = readFollowing(req, isTrusted);
    return lastAddress;
  };
}

function readFollowing(
  { headers, socket }: Parameters<AddressReader>[0],
  isTrusted: (address: string) => boolean,
): string {
  let address = toPlainAddress(socket.remoteAddress ?? '');
  if (!isTrusted(address)) return address;
  const header = headers['x-forwarded-for'];
  const hops = (typeof header === 'string' ? header : (header?.join(',') ?? '')).split(',');
  for (const hop of hops.reverse()) {
    const next = toPlainAddress(hop.trim());
    if (isIP(next) === 0) return address;
    address = next;
    if (!isTrusted(address)) return address;
  }
  return address;
}

/** Returns a function that reports whether an address is in one of the networks. */
export function createNetworkTest(networks: readonly string[]): (address: string) => boolean {
  const list = toBlockList(networks);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Removes the port and the brackets, and converts an IPv4 address in IPv6 form to IPv4. */
function toPlainAddress(text: string): string {
  const unqualified =
    /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ??
    (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(unqualified) ? unqualified.slice(7) : unqualified;
}

/** The networks of this machine, to which no limit applies. */
export const THIS_MACHINE: readonly string[] = ['127.0.0.0/8', '::1'];

/**
 * Returns the network by which requests from an address are counted. For an invalid address, returns the text
 * itself.
 */
export function networkOf(address: string): string {
  return toNetwork(address) ?? address;
}

/**
 * Returns an IPv4 address unchanged. For an IPv6 address, returns the first 64 bits, because all addresses
 * with them usually belong to one client. Returns null for an invalid address.
 */
export function toNetwork(address: string): string | null {
  const plain = /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)
    ? address.slice(7)
    : (address.split('%')[0] ?? '');
  const family = isIP(plain);
  if (family !== 6) return family === 4 ? plain : null;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The last two of the eight groups may be written as an IPv4 address.
  const written = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: Math.max(0, 8 - written) }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
