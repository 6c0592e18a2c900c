import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelBody, ModelBehavior, ModelStep } from './model-case.js';
import { findBehaviorFault } from './model-behavior.js';
import { writeModelStep } from './write-model-step.js';

/** A request that the model server received. */
export interface RecordedModelCall {
  readonly authorization: string | undefined;
  readonly body: ModelBody;
  /** The texts of all messages in the request, joined. */
  readonly text: string;
}

export type ModelScript = readonly ModelStep[] | ((modelCall: RecordedModelCall) => ModelStep);

/** A server with the OpenAI chat protocol that sends predefined responses. */
export interface ModelServer {
  /** The base URL, to which a client appends `/chat/completions`. */
  readonly url: string;
  /** All requests since the last call of `play`, including rejected ones. */
  readonly asked: readonly RecordedModelCall[];
  /** Sets the next responses. They are a list whose last step is repeated, or a function of the request. */
  play(script: ModelScript, behavior?: ModelBehavior): void;
  stop(): Promise<void>;
}

export async function startModelServer(script: ModelScript = []): Promise<ModelServer> {
  let modelCalls: RecordedModelCall[] = [];
  let playing: ModelScript = script;
  let behavior: ModelBehavior = {};
  let index = 0;
  const timers = new Set<NodeJS.Timeout>();

  function nextStep(request: RecordedModelCall): ModelStep {
    const fault = findBehaviorFault(request.body, behavior);
    if (fault !== null) return fault;
    if (typeof playing === 'function') return playing(request);
    const step = playing[Math.min(index, playing.length - 1)];
    index += 1;
    return step ?? { status: 500, error: { message: 'nothing was scripted' } };
  }

  const server = createServer((req, res) => {
    void readBody(req).then((text) => {
      if (req.method !== 'POST' || !(req.url ?? '').endsWith('/chat/completions'))
        return void res
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"Not found"}}');
      const body = JSON.parse(text) as ModelBody;
      const request = {
        authorization: req.headers.authorization,
        body,
        text: body.messages.map((message) => message.content).join('\n'),
      };
      modelCalls.push(request);
      perform(nextStep(request), body, res);
    });
  });

  function perform(step: ModelStep, body: ModelBody, res: ServerResponse): void {
    if (step.hang === true) return;
    if (step.reset === true) return void res.destroy();
    if (step.delayMs === undefined) return writeModelStep(step, body, res);
    const timer = setTimeout(() => {
      timers.delete(timer);
      writeModelStep(step, body, res);
    }, step.delayMs);
    timers.add(timer);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return modelCalls;
    },
    play(next, how = {}) {
      modelCalls = [];
      playing = next;
      behavior = how;
      index = 0;
    },
    async stop() {
      timers.forEach((timer) => clearTimeout(timer));
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function readBody(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
