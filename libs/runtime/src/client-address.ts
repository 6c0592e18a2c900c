import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The address that a request came from. */
export type AddressReader = (req: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Without trusted proxies: the peer, whatever headers say. With them: the last address in `X-Forwarded-For` that none
 * of them is, read from the right, since only what a trusted proxy has appended can be believed.
 */
export function createAddressReader(trustedNetworks: readonly string[]): AddressReader {
  if (trustedNetworks.length === 0) return (req) => req.socket.remoteAddress ?? '';
  const isTrusted = createNetworkTest(trustedNetworks);
  // Asked for more than once of a request, one after the other.
  let last: Parameters<AddressReader>[0] | null = null;
  let lastAddress = '';
  return (req) => {
    if (req === last) return lastAddress;
    last = req;
    lastAddress = readBehind(req, isTrusted);
    return lastAddress;
  };
}

function readBehind({ headers, socket }: Parameters<AddressReader>[0], isTrusted: (address: string) => boolean): string {
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

/** Whether an address is in one of the networks. */
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

/** Without a port, brackets, or the IPv6 form of an IPv4 address. */
function toPlainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice(7) : bare;
}
