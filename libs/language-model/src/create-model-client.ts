import type { OpenAI } from 'openai';
import { createBreaker } from './breaker.js';
import type { Deadline } from './deadline.js';
import { createPublicFetch, createBoundedFetch, type Fetch } from './create-public-fetch.js';
import { ModelFault, toModelError } from './model-fault.js';
import type { Completion } from './read-completion.js';
import type { Capabilities, ModelResponse, ModelRequest, ModelSettings, ModelUsage } from './types.js';

/** The capabilities that are assumed first. Nearly every server has them, and others reject the request. */
export const FIRST_CAPABILITIES: Capabilities = {
  format: 'json_schema',
  temperature: true,
  tokens: 'max_tokens',
  systemRole: true,
  stream: false,
};

export interface ModelClient {
  readonly settings: ModelSettings;
  /** The server's capabilities as known so far. */
  capabilities(): Capabilities;
  /**
   * Sends a request. Repeats it after a transport fault, and in another form after a rejection. Waits as long
   * as the server asks for, but not beyond the deadline.
   *
   * @throws AppError `llm.*`, or the reason of an outside abort
   */
  ask(request: ModelRequest, deadline: Deadline): Promise<ModelResponse>;
}

const RETRIES_MAX = 2;
/** The maximum number of changes to the form of a request. */
const FORM_CHANGES_MAX = 8;
const BACKOFF_MS = 250;
/** The minimum time left for a retry. With less, the fault is thrown without waiting. */
const RESERVE_MS = 500;

export function createModelClient(settings: ModelSettings): ModelClient {
  let capabilities = FIRST_CAPABILITIES;
  let openai: Promise<OpenAI> | null = null;
  const breaker = createBreaker();

  async function sendWithRetries(
    request: ModelRequest,
    deadline: Deadline,
    attempt: { count: number },
  ): Promise<ModelResponse> {
    let retries = 0;
    let formChanges = 0;
    let { tokensMax } = request;
    for (;;) {
      attempt.count += 1;
      const requested = capabilities;
      try {
        const completion = await send(request, requested, tokensMax, deadline);
        request.onUsage?.(completion.usage ?? estimateUsage(request, completion));
        if (completion.fault === null)
          return {
            text: completion.text,
            model: completion.model === '' ? settings.model : completion.model,
            attempts: attempt.count,
          };
        // Retry once with a larger limit. A response that is truncated again is unusable.
        if (completion.fault.kind !== 'truncated' || tokensMax > request.tokensMax) throw completion.fault;
        tokensMax *= 2;
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        if (error.kind === 'form' && formChanges < FORM_CHANGES_MAX) {
          formChanges += 1;
          // A concurrent request may have changed the capabilities already.
          const learned =
            capabilities === requested ? learnCapabilities(requested, error.stated) : capabilities;
          if (learned === null) throw error;
          capabilities = learned;
        } else if ((error.kind === 'transport' || error.kind === 'busy') && retries < RETRIES_MAX) {
          retries += 1;
          const waitMs =
            error.retryAfterMs ??
            (settings.backoffMs ?? BACKOFF_MS) * 2 ** retries * (0.5 + Math.random() / 2);
          if (waitMs + RESERVE_MS > deadline.remainingMs()) throw error;
          await deadline.wait(waitMs);
        } else throw error;
      }
    }
  }

  async function send(
    request: ModelRequest,
    requested: Capabilities,
    tokensMax: number,
    deadline: Deadline,
  ): Promise<Completion> {
    // The library is loaded with the first question, so a process without questions does not need its memory.
    const [{ sendRequest }, client] = await Promise.all([
      import('./send-request.js'),
      (openai ??= openClient(settings)),
    ]);
    return sendRequest({
      openai: client,
      model: settings.model,
      request,
      capabilities: requested,
      tokensMax,
      deadline,
    });
  }

  return {
    settings,
    capabilities: () => capabilities,
    async ask(request, deadline) {
      const { pauseMs, isTrial } = breaker.enter(performance.now());
      if (pauseMs > 0)
        throw toModelError(
          new ModelFault('transport', 'the circuit breaker is open', pauseMs),
          settings.owner,
        );
      try {
        const response = await sendWithRetries(request, deadline, { count: 0 });
        breaker.succeeded();
        return response;
      } catch (error) {
        const fault =
          error instanceof ModelFault ? error : deadline.signal.aborted ? toTimeoutFault(deadline) : null;
        if (fault === null) {
          if (isTrial) breaker.trialAbandoned();
          throw error;
        }
        if (isServersFault(fault)) breaker.failed(performance.now(), fault.retryAfterMs);
        else breaker.succeeded();
        throw toModelError(fault, settings.owner);
      }
    },
  };
}

/** Returns the fault of a missed deadline, or null if the caller aborted. */
function toTimeoutFault(deadline: Deadline): ModelFault | null {
  const reason: unknown = deadline.signal.reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ModelFault('transport', 'the model did not respond in time')
    : null;
}

/** Returns whether the fault is that of the server or its settings, which the breaker counts. */
function isServersFault({ kind }: ModelFault): boolean {
  return (
    kind === 'transport' || kind === 'busy' || kind === 'quota' || kind === 'key' || kind === 'unknown_model'
  );
}

/**
 * Estimates about four characters per token, which holds for English. Other languages need fewer characters.
 */
function estimateUsage(request: ModelRequest, completion: Completion): ModelUsage {
  const characters = request.messages.reduce((sum, message) => sum + message.content.length, 0);
  return { tokensIn: Math.ceil(characters / 4), tokensOut: Math.ceil(completion.text.length / 4) };
}

/** Created with the first model that may only use public addresses. */
let fetchPublic: Fetch | null = null;

/**
 * Creates the client library's object. Every option is set, so that the library does not read the environment
 * and does not log.
 */
async function openClient({ baseUrl, apiKey, isPublicOnly }: ModelSettings): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: baseUrl.replace(/\/+$/, ''),
    apiKey: apiKey?.reveal() ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    maxRetries: 0,
    logLevel: 'off',
    logger: { error: ignore, warn: ignore, info: ignore, debug: ignore },
    fetch: createBoundedFetch(isPublicOnly === true ? (fetchPublic ??= createPublicFetch()) : fetch),
  });
}

function ignore(): void {}

/**
 * Returns the form of the next request after the server rejected the form of one. Returns null if no other
 * form is left.
 *
 * @param message the server's message in lower case
 */
export function learnCapabilities(before: Capabilities, message: string): Capabilities | null {
  if (/\bstream/.test(message) && !before.stream) return { ...before, stream: true };
  if (/max_(?:completion_)?tokens/.test(message) && before.tokens !== 'none')
    return {
      ...before,
      tokens:
        before.tokens === 'max_tokens' &&
        !/max_completion_tokens.{0,30}(?:not support|unsupported|unknown|unrecognized|extra)/.test(message)
          ? 'max_completion_tokens'
          : 'none',
    };
  if (/temperature/.test(message) && before.temperature) return { ...before, temperature: false };
  if (/system.{0,20}(?:role|message|prompt)|role.{0,20}system/.test(message) && before.systemRole)
    return { ...before, systemRole: false };
  // JSON schemas are omitted first, because the fewest servers support them.
  if (before.format === 'json_schema') return { ...before, format: 'json_object' };
  if (before.format === 'json_object') return { ...before, format: 'text' };
  if (before.tokens === 'max_tokens') return { ...before, tokens: 'none' };
  return null;
}
