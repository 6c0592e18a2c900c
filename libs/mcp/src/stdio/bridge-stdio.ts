import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { createForwarder, type ForwarderOptions } from './forward-message.js';

export interface BridgeOptions extends ForwarderOptions {
  /** One JSON-RPC message on each line. */
  readonly input: Readable;
  /** The answers, one on each line, in the order in which they come. */
  readonly output: Writable;
}

const RUNNING_MAX = 16;

/**
 * MCP over stdin and stdout for a server over HTTP: each line goes out as it is and its answer comes back as it is, so that
 * no digit and no revision of the protocol is lost between them. Settles when the input has ended and all is answered.
 */
export async function bridgeStdio({ input, output, ...options }: BridgeOptions): Promise<void> {
  const forwarder = createForwarder(options);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    while (running.size >= RUNNING_MAX) await Promise.race(running);
    const job = forwarder.forward(line).then(async (answer) => {
      if (answer !== null) await writeLine(output, answer);
    });
    running.add(job);
    void job.finally(() => running.delete(job));
    // Its answer says which revision all others are of.
    if (forwarder.isOpening(line)) await job;
  }
  await Promise.all(running);
}

/** Waits for a reader that is slower than the answers. */
function writeLine(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
