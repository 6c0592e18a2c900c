import { createForwarder, type ForwarderOptions } from './forward-message.js';

export interface CarryOptions extends ForwarderOptions {
  /** The lines, each with one JSON-RPC message. */
  readonly lines: AsyncIterable<string>;
  /** Prints a response as one line, in the order of arrival. */
  readonly print: (text: string) => void;
}

const RUNNING_MAX = 16;

/**
 * Forwards MCP messages from stdin to a server over HTTP, and its responses to stdout. Messages are not
 * parsed and serialized again, so that digits and members of any protocol version are preserved. Resolves
 * when the input has ended and all responses have arrived.
 */
export async function forwardMessages({ lines, print, ...options }: CarryOptions): Promise<void> {
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
    // The response contains the protocol version of all further messages.
    if (forwarder.isOpening(line)) await job;
  }
  await Promise.all(running);
}
