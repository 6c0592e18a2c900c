import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const PROTOCOL_41 = 0x200;
const SECURE_CONNECTION = 0x8000;
const PLUGIN_AUTH = 0x8_0000;
const UTF8 = 33;
const AUTH_SWITCH = 0xfe;

interface Server {
  readonly host: string;
  readonly port: number;
}

/**
 * Starts a login and stops when the server waits for the password. The client names an authentication plugin
 * that the server does not know, so the server requests another plugin.
 */
export async function beginLogin(
  { host, port }: Server,
  user: string,
  localAddress?: string,
): Promise<Socket> {
  const socket = connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) });
  socket.on('error', () => undefined);
  await once(socket, 'data');
  sendUser(socket, user);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[4] !== AUTH_SWITCH)
    throw new Error(`the server does not ask for a password: ${answer.subarray(4).toString('latin1')}`);
  return socket;
}

/** Responds to a server's greeting with a user name and an unknown plugin. */
export function sendUser(socket: Socket, user: string): void {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(PROTOCOL_41 | SECURE_CONNECTION | PLUGIN_AUTH);
  head.writeUInt8(UTF8, 8);
  const body = Buffer.concat([head, Buffer.from(`${user}\0\0no_such_plugin\0`)]);
  socket.write(Buffer.concat([Buffer.from([body.length, 0, 0, 1]), body]));
}
