import { describe, expect, it } from 'vitest';
import { ControlApi } from './control-api.js';

/** Yields the chunks and then fails like a broken connection. */
function breakingBody(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(control) {
      const next = chunks.shift();
      if (next === undefined) control.error(new TypeError('terminated'));
      else control.enqueue(Buffer.from(next));
    },
  });
}

function apiOf(body: ReadableStream<Uint8Array>, stopped = new AbortController().signal): ControlApi {
  return new ControlApi(
    { fetch: () => Promise.resolve(new Response(body)), stopped },
    'http://127.0.0.1:1',
    't',
  );
}

const EVENT = 'event: migration\ndata: {"state":"running"}\n\n';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('ControlApi', () => {
  it('a stream of events ends when its connection breaks', async () => {
    expect(await collect(apiOf(breakingBody(EVENT, 'event: mig')).events('/api/x'))).toEqual([
      { event: 'migration', data: { state: 'running' } },
    ]);
  });

  it('a CLI request that the user interrupts is reported as interrupted', async () => {
    await expect(
      collect(apiOf(breakingBody(EVENT), AbortSignal.abort()).events('/api/x')),
    ).rejects.toMatchObject({ name: 'CliError', message: 'Stopped.' });
  });

  it('an interrupted response or download is reported like an unreachable server', async () => {
    const broken = {
      name: 'CliError',
      exitCode: 5,
      message: "Couldn't reach http://127.0.0.1:1 (terminated).",
    };
    await expect(apiOf(breakingBody('{"a":')).get('/api/x')).rejects.toMatchObject(broken);
    await expect(collect(await apiOf(breakingBody('half')).download('/api/x'))).rejects.toMatchObject(broken);
  });
});
