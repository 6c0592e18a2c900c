import type { OpenAI } from 'openai';
import { createBreaker } from './breaker.js';
import type { Deadline } from './deadline.js';
import { createPublicFetch, createBoundedFetch, type Fetch } from './create-public-fetch.js';
import { ModelFault, toModelError } from './model-fault.js';
import type { Completion } from './read-completion.js';
import type { Capabilities, ModelResponse, ModelRequest, ModelSettings, ModelUsage } from './types.js';

/**
 * The capabilities that are assumed at first. Nearly every server has them. Other servers reject the request,
 * which is then sent in another form.
 */
export const FIRST_CAPABILITIES: Capabilities = {
  format: 'json_schema',
  temperature: true,
  tokens: 'max_tokens',
  systemRole: true,
  stream: false,
};

export interface ModelClient {
  readonly settings: ModelSettings;
  /** Returns the server's capabilities, as far as they are known. */
  capabilities(): Capabilities;
  /**
   * Sends a request. After a transport fault, it is repeated. After a rejection, it is repeated in another
   * form. If the server asks for a delay, the client waits for this time, but not beyond the deadline.
   *
   * @throws AppError `llm.*`, or the reason for which the caller aborted
   */
  ask(request: ModelRequest, deadline: Deadline): Promise<ModelResponse>;
}

const RETRIES_MAX = 2;
/** The maximum number of times that the form of a request is changed. */
const FORM_CHANGES_MAX = 8;
const BACKOFF_MS = 250;
/**
 * The minimum time in milliseconds that a retry needs before the deadline. If less is left, the fault is
 * thrown immediately.
 */
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
      const tried = capabilities;
      try {
        const completion = await send(request, tried, tokensMax, deadline);
        request.onUsage?.(completion.usage ?? estimateUsage(request, completion));
        if (completion.fault === null)
          return {
            text: completion.text,
            model: completion.model === '' ? settings.model : completion.model,
            attempts: attempt.count,
          };
        // Retries once with a larger token limit. If the response is truncated again, it is not usable.
        if (completion.fault.kind !== 'truncated' || tokensMax > request.tokensMax) throw completion.fault;
        tokensMax *= 2;
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        if (error.kind === 'form' && formChanges < FORM_CHANGES_MAX) {
          formChanges += 1;
          // A request that runs at the same time may already have changed the capabilities.
          const learned = capabilities === tried ? learnCapabilities(tried, error.stated) : capabilities;
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
    tried: Capabilities,
    tokensMax: number,
    deadline: Deadline,
  ): Promise<Completion> {
    // The library is loaded with the first question, so that a process without questions does not need memory
    // for it.
    const [{ sendRequest }, client] = await Promise.all([
      import('./send-request.js'),
      (openai ??= openClient(settings)),
    ]);
    return sendRequest({
      openai: client,
      model: settings.model,
      request,
      capabilities: tried,
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

/** Returns the fault for a missed deadline. Returns null if the caller aborted. */
function toTimeoutFault(deadline: Deadline): ModelFault | null {
  const reason: unknown = deadline.signal.reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ModelFault('transport', 'the model did not respond in time')
    : null;
}

/** Reports whether the fault is due to the server or its settings. The circuit breaker counts such faults. */
function isServersFault({ kind }: ModelFault): boolean {
  return (
    kind === 'transport' || kind === 'busy' || kind === 'quota' || kind === 'key' || kind === 'unknown_model'
  );
}

/**
 * Estimates the number of tokens from the number of characters. A token has about four characters in English,
 * and fewer in other languages.
 */
function estimateUsage(request: ModelRequest, completion: Completion): ModelUsage {
  const characters = request.messages.reduce((sum, message) => sum + message.content.length, 0);
  return { tokensIn: Math.ceil(characters / 4), tokensOut: Math.ceil(completion.text.length / 4) };
}

/** Created for the first model that may only be at a public address. */
let fetchPublic: Fetch | null = null;

/**
 * Creates the client of the library. Every option is set, so that the library neither reads environment
 * variables nor logs.
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
 * Returns the form for the next request after the server has rejected a form. Returns null if no other form
 * is left.
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
