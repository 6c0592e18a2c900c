import { ModelFault } from './model-fault.js';
import { readFault } from './read-fault.js';
import type { ModelUsage } from './types.js';

/** The result of one request: a text, or the reason why it is missing. */
export interface Completion {
  readonly text: string;
  readonly model: string;
  readonly usage: ModelUsage | null;
  /** The reason why the text cannot be used, although tokens were used. Null if it can be used. */
  readonly fault: ModelFault | null;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses the body of a 200 response. It may be a completion, an error, an HTML page or a stream that was not
 * requested.
 *
 * @throws ModelFault if it is not a completion
 */
export function readCompletion(value: unknown): Completion {
  if (typeof value === 'string') throw readText(value);
  if (!isRecord(value)) throw new ModelFault('bad_output', 'no object');
  if (value['error'] !== undefined && value['error'] !== null && !Array.isArray(value['choices']))
    throw readErrorBody(value['error']);
  const choice = Array.isArray(value['choices']) ? (value['choices'] as unknown[])[0] : undefined;
  if (!isRecord(choice)) throw new ModelFault('bad_output', 'no choices');
  const message = isRecord(choice['message']) ? choice['message'] : {};
  const text = stripThoughts(readContent(message));
  return {
    text,
    model: typeof value['model'] === 'string' ? value['model'].slice(0, 100) : '',
    usage: readUsage(value['usage']),
    fault: findFault(choice, message, text),
  };
}

/**
 * Returns the fault for a body that is not JSON. An HTML page means that the server behind a proxy is not
 * available. An event stream means that the server can only stream.
 */
function readText(text: string): ModelFault {
  if (/^\s*(?:data|event|id|:)/.test(text))
    return new ModelFault('form', 'the model only responds with a stream');
  return new ModelFault(/^\s*</.test(text) ? 'transport' : 'bad_output', 'a page');
}

function readErrorBody(error: unknown): ModelFault {
  const body = isRecord(error) ? error : { message: String(error) };
  const status = Number(body['status'] ?? body['code']);
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  return readFault({
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : 0,
    code: text('code'),
    type: text('type'),
    param: text('param'),
    message: text('message'),
    headers: null,
  });
}

function findFault(choice: Json, message: Json, text: string): ModelFault | null {
  const rejection = message['refusal'];
  if (typeof rejection === 'string' && rejection !== '') return new ModelFault('refused', '');
  const finish = choice['finish_reason'];
  if (finish === 'content_filter') return new ModelFault('refused', '');
  if (finish === 'length' || finish === 'max_tokens' || finish === 'model_length')
    return new ModelFault('truncated', '');
  return text === '' ? new ModelFault('bad_output', 'empty') : null;
}

/**
 * Returns the text of a message. It is a string, consists of several text parts, or is in the arguments of a
 * tool call.
 */
function readContent(message: Json): string {
  const content = message['content'];
  if (typeof content === 'string' && content.trim() !== '') return content;
  if (Array.isArray(content)) {
    const parts = (content as unknown[]).map((part) =>
      isRecord(part) && typeof part['text'] === 'string'
        ? part['text']
        : typeof part === 'string'
          ? part
          : '',
    );
    if (parts.join('').trim() !== '') return parts.join('');
  }
  const call = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[])[0] : undefined;
  const called = isRecord(call) && isRecord(call['function']) ? call['function']['arguments'] : undefined;
  return typeof called === 'string' ? called : '';
}

/** Removes the model's reasoning, which some servers return before the answer. */
function stripThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  return (end < 0 ? text : text.slice(end + 8)).trim();
}

function readUsage(usage: unknown): ModelUsage | null {
  if (!isRecord(usage)) return null;
  const [tokensIn, tokensOut] = [Number(usage['prompt_tokens']), Number(usage['completion_tokens'])];
  return Number.isFinite(tokensIn) && Number.isFinite(tokensOut) && tokensIn >= 0 && tokensOut >= 0
    ? { tokensIn: Math.round(tokensIn), tokensOut: Math.round(tokensOut) }
    : null;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
