import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NO_FAIL_POINTS } from '../idempotency/fail-points.js';
import { LIMITS } from '../limits/limits.js';
import type { Observation } from '../telemetry/trace.js';
import { rejectRequest, serveRequest, type ServeServices } from './serve-request.js';

/** Creates a request that is rejected before it is routed, because its URL is too long. */
function createIncoming(): { req: IncomingMessage; res: ServerResponse; body: null; isUpload: false } {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = `/${'x'.repeat(LIMITS.urlBytesMax)}`;
  req.complete = true;
  return { req, res: new ServerResponse(req), body: null, isUpload: false };
}

function createServices(services: Partial<ServeServices> = {}): {
  readonly services: ServeServices;
  readonly defects: unknown[];
  readonly running: () => number;
} {
  const defects: unknown[] = [];
  let running = 0;
  const all: Partial<ServeServices> = {
    failPoints: NO_FAIL_POINTS,
    loadGuard: {
      reject: () => null,
      entered: () => void (running += 1),
      left: () => void (running -= 1),
      stop: () => undefined,
    },
    rejectionThrottle: { hold: () => null, sweep: () => undefined },
    onDefect: (error) => void defects.push(error),
    ...services,
  };
  return { services: all as ServeServices, defects, running: () => running };
}

const failToObserve = (): never => {
  throw new Error('the log is full');
};

describe('serveRequest', () => {
  it('a request that is rejected early is logged once with its status', async () => {
    const { services, defects, running } = createServices();
    const observations: Observation[] = [];
    await serveRequest(services, (observation) => observations.push(observation), createIncoming());
    expect(observations.map(({ status, error }) => [status, error?.code])).toEqual([
      [414, 'request.url_too_long'],
    ]);
    expect([running(), defects]).toEqual([0, []]);
  });

  it('a request whose log line cannot be written is reported as a defect and not counted as running', async () => {
    const { services, defects, running } = createServices();
    await serveRequest(services, failToObserve, createIncoming());
    expect([running(), defects.map(String)]).toEqual([0, ['Error: the log is full']]);
  });

  it('a request that fails before its response exists is closed and not counted as running', async () => {
    const failPoints = {
      ...NO_FAIL_POINTS,
      watch: () => {
        throw new Error('no watch');
      },
    };
    const { services, defects, running } = createServices({ failPoints });
    const incoming = createIncoming();
    await serveRequest(services, () => undefined, incoming);
    expect([running(), defects.length, incoming.res.destroyed]).toEqual([0, 1, true]);
  });

  it('a header that cannot be sent is logged with status 500', async () => {
    const { services } = createServices();
    const observations: Observation[] = [];
    const incoming = createIncoming();
    incoming.res.writeHead = () => {
      throw new TypeError('invalid header');
    };
    await serveRequest(services, (observation) => observations.push(observation), incoming);
    expect(observations.map(({ status, error, bytes }) => [status, error?.code, bytes])).toEqual([
      [500, 'internal.defect', 0],
    ]);
  });
});

describe('rejectRequest', () => {
  it('a rejection whose log line cannot be written is reported as a defect', async () => {
    const { services, defects } = createServices();
    await rejectRequest(services, failToObserve, createIncoming(), new Error('malformed'));
    expect(defects.map(String)).toEqual(['Error: the log is full']);
  });
});
