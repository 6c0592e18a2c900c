import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface TestMailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  stop(): Promise<void>;
}

/**
 * Starts an SMTP server that accepts and stores every message. The first `rejections` messages are rejected
 * temporarily.
 */
export async function startMailServer(rejections = 0): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let remaining = rejections;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serveClient(
      socket,
      () => (remaining > 0 ? (remaining -= 1) >= 0 : false),
      (mail) => mails.push(mail),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function serveClient(socket: Socket, isRejected: () => boolean, onMail: (mail: ReceivedMail) => void): void {
  let text = '';
  let data: string | null = null;
  let envelope = { from: '', to: '' };
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  say('220 test');
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8');
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (data !== null) {
        if (line !== '.') {
          data += `${line}\n`;
          continue;
        }
        onMail(readMail(data, envelope));
        data = null;
        say('250 kept');
      } else if (/^MAIL FROM:/i.test(line)) {
        if (isRejected()) say('451 not now');
        else {
          envelope = { ...envelope, from: line.slice(10) };
          say('250 ok');
        }
      } else if (/^RCPT TO:/i.test(line)) {
        envelope = { ...envelope, to: /<(.*)>/.exec(line)?.[1] ?? '' };
        say('250 ok');
      } else if (/^DATA/i.test(line)) {
        data = '';
        say('354 go on');
      } else say(/^QUIT/i.test(line) ? '221 bye' : '250 ok');
    }
  });
}

function readMail(data: string, envelope: { from: string; to: string }): ReceivedMail {
  const split = data.indexOf('\n\n');
  const head = data.slice(0, split);
  const isQuoted = /quoted-printable/i.test(head);
  const body = data.slice(split + 2);
  return {
    ...envelope,
    subject: /^Subject: (.*)$/m.exec(head)?.[1] ?? '',
    text: isQuoted
      ? body
          .replaceAll(/=\n/g, '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : body,
  };
}
