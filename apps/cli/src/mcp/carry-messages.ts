import { createForwarder, type ForwarderOptions } from './forward-message.js';

export interface CarryOptions extends ForwarderOptions {
  /** One JSON-RPC message each. */
  readonly lines: AsyncIterable<string>;
  /** The answers, one on each line, in the order in which they come. */
  readonly print: (text: string) => void;
}

const RUNNING_MAX = 16;

/**
 * MCP over stdin and stdout for a server over HTTP: each line goes out as it is and its answer comes back as it is, so that
 * no digit and no revision of the protocol is lost between them. Settles when the lines have ended and all is answered.
 */
export async function carryMessages({ lines, print, ...options }: CarryOptions): Promise<void> {
  const forwarder = createForwarder(options);
  const running = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    while (running.size >= RUNNING_MAX) await Promise.race(running);
    const job = forwarder.forward(line).then((answer) => {
      if (answer !== null) print(`${answer}\n`);
    });
    running.add(job);
    void job.finally(() => running.delete(job));
    // Its answer says which revision all others are of.
    if (forwarder.isOpening(line)) await job;
  }
  await Promise.all(running);
}
