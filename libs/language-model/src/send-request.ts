import { APIError, type OpenAI } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Deadline } from './deadline.js';
import { PrivateAddressError, ResponseTooLargeError } from './create-public-fetch.js';
import { ModelFault } from './model-fault.js';
import { readCompletion, type Completion } from './read-completion.js';
import { readFault, type ErrorParts } from './read-fault.js';
import type { Capabilities, ModelMessage, ModelRequest } from './types.js';

export interface Sent {
  readonly openai: OpenAI;
  readonly model: string;
  readonly request: ModelRequest;
  readonly tokensMax: number;
  readonly capabilities: Capabilities;
  readonly deadline: Deadline;
}

/**
 * Sends one request and returns its result.
 *
 * @throws ModelFault, or the reason for which the deadline aborted
 */
export async function sendRequest(sent: Sent): Promise<Completion> {
  const { openai, capabilities, deadline } = sent;
  // Retries by the library are disabled, because it would restart its timeout with each of them.
  const options = {
    signal: deadline.signal,
    maxRetries: 0,
    timeout: Math.max(1, Math.ceil(deadline.remainingMs())),
  };
  const body = writeBody(sent);
  try {
    const value: unknown = capabilities.stream
      ? await collectStream(openai, body, options)
      : await openai.chat.completions.create(body, options);
    deadline.signal.throwIfAborted();
    return readCompletion(value);
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw toFault(error);
  }
}

function writeBody({
  model,
  request,
  capabilities,
  tokensMax,
}: Sent): ChatCompletionCreateParamsNonStreaming {
  const { answerForm } = request;
  const body: ChatCompletionCreateParamsNonStreaming = {
    model,
    messages: toMessages(request.messages, capabilities.systemRole),
  };
  if (capabilities.temperature) body.temperature = 0;
  if (capabilities.tokens !== 'none') body[capabilities.tokens] = tokensMax;
  if (answerForm !== null && capabilities.format === 'json_schema')
    body.response_format = {
      type: 'json_schema',
      json_schema: { name: answerForm.name, strict: true, schema: { ...answerForm.schema } },
    };
  if (answerForm !== null && capabilities.format === 'json_object')
    body.response_format = { type: 'json_object' };
  return body;
}

/**
 * Converts the messages. If the server does not support the system role, the system text is put before the
 * first question.
 */
function toMessages(messages: readonly ModelMessage[], systemRole: boolean): ChatCompletionMessageParam[] {
  if (systemRole) return messages.map(({ role, content }) => ({ role, content }));
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  const [first, ...rest] = messages.filter((message) => message.role !== 'system');
  return [
    { role: 'user', content: [...system, first?.content ?? ''].join('\n\n') },
    ...rest.map(({ role, content }) => ({ role, content })),
  ];
}

/**
 * Joins the chunks of a stream to one completion. A stream without a finish reason is treated as truncated.
 */
async function collectStream(
  openai: OpenAI,
  body: ChatCompletionCreateParamsNonStreaming,
  options: { signal: AbortSignal; maxRetries: number; timeout: number },
): Promise<unknown> {
  const stream = await openai.chat.completions.create({ ...body, stream: true }, options);
  let content = '';
  let rejection = '';
  let finish: string | null = null;
  let last: ChatCompletionChunk | null = null;
  let usage: unknown = null;
  for await (const chunk of stream) {
    last = chunk;
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    content += choice?.delta?.content ?? '';
    rejection += choice?.delta?.refusal ?? '';
    finish = choice?.finish_reason ?? finish;
  }
  options.signal.throwIfAborted();
  if (finish === null) throw new ModelFault('transport', 'the stream was cut');
  return {
    model: last?.model,
    usage,
    choices: [{ finish_reason: finish, message: { content, refusal: rejection === '' ? null : rejection } }],
  };
}

function toFault(error: unknown): ModelFault {
  if (error instanceof ModelFault) return error;
  if (error instanceof APIError && error.status !== undefined) return readFault(toErrorParts(error), error);
  // The error was inside a stream, or the server sent no response.
  if (error instanceof APIError && error.error !== undefined)
    return readFault({ ...toErrorParts(error), status: 0 }, error);
  if (hasCause(error, PrivateAddressError))
    return new ModelFault('address', 'not public', null, { cause: error });
  if (hasCause(error, ResponseTooLargeError))
    return new ModelFault('bad_output', 'too large', null, { cause: error });
  // The JSON is incomplete, perhaps because the connection was lost. A retry may succeed.
  return new ModelFault('transport', '', null, { cause: error });
}

function toErrorParts(error: APIError): ErrorParts {
  return {
    status: Number(error.status ?? 0),
    code: String(error.code ?? ''),
    type: error.type ?? '',
    param: String(error.param ?? ''),
    message: error.message,
    headers: error.headers ?? null,
  };
}

function hasCause(error: unknown, kind: new () => Error): boolean {
  if (error instanceof kind) return true;
  return error instanceof Error && hasCause(error.cause, kind);
}
