import type { ServerResponse } from 'node:http';
import type { ModelBody, ModelStep } from './model-case.js';

const PIECES = 6;

/** Sends the response of a step. It is one body or a stream, and complete or cut off. */
export function writeModelStep(step: ModelStep, body: ModelBody, res: ServerResponse): void {
  const isError = step.error !== undefined || (step.status ?? 200) >= 400;
  if (body.stream === true && !isError && step.raw === undefined) {
    res.writeHead(200, { 'content-type': 'text/event-stream', ...step.headers });
    writePieces(toEvents(step, body), step, res);
    return;
  }
  const text =
    step.raw ??
    JSON.stringify(isError ? { error: step.error ?? { message: 'scripted' } } : toCompletion(step, body));
  res.writeHead(step.status ?? 200, {
    'content-type': step.contentType ?? 'application/json',
    'content-length': Buffer.byteLength(text),
    ...step.headers,
  });
  if (step.cutAfter !== undefined) {
    res.write(text.slice(0, step.cutAfter), () => res.destroy());
    return;
  }
  if (step.dribbleMs === undefined) return void res.end(text);
  writePieces(text.split(''), step, res);
}

function writePieces(chunks: readonly string[], step: ModelStep, res: ServerResponse): void {
  let index = 0;
  const next = (): void => {
    if (res.destroyed) return;
    if (index === step.cutAfter) return void res.destroy();
    const chunk = chunks[index];
    if (chunk === undefined) return void res.end();
    index += 1;
    res.write(
      chunk,
      () => void (step.dribbleMs === undefined ? setImmediate(next) : setTimeout(next, step.dribbleMs)),
    );
  };
  next();
}

function toText({ content = '', repeat = 1 }: ModelStep): string {
  return (typeof content === 'string' ? content : JSON.stringify(content)).repeat(repeat);
}

function toCompletion(step: ModelStep, body: ModelBody): object {
  const usage = step.usage === undefined ? { prompt_tokens: 100, completion_tokens: 20 } : step.usage;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model ?? 'scripted',
    choices: [
      {
        index: 0,
        finish_reason: step.finish ?? 'stop',
        message: {
          role: 'assistant',
          content: step.refusal === undefined ? toText(step) : null,
          refusal: step.refusal ?? null,
          ...step.message,
        },
      },
    ],
    ...(usage === null
      ? {}
      : { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
  };
}

function toEvents(step: ModelStep, body: ModelBody): string[] {
  const text = toText(step);
  const size = Math.max(1, Math.ceil(text.length / PIECES));
  const event = (choices: unknown, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: body.model ?? 'scripted', choices, ...more })}\n\n`;
  const events = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    event([
      { index: 0, delta: { content: text.slice(index * size, (index + 1) * size) }, finish_reason: null },
    ]),
  );
  if (step.refusal !== undefined)
    events.push(event([{ index: 0, delta: { refusal: step.refusal }, finish_reason: null }]));
  if (step.noFinish !== true)
    events.push(
      event([{ index: 0, delta: {}, finish_reason: step.finish ?? 'stop' }]),
      event([], { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
    );
  return [...events, 'data: [DONE]\n\n'];
}
