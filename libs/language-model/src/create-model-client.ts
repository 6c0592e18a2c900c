import type { OpenAI } from 'openai';
import { createBreaker } from './breaker.js';
import type { Deadline } from './deadline.js';
import { createPublicFetch, createBoundedFetch, type Fetch } from './create-public-fetch.js';
import { ModelFault, toModelError } from './model-fault.js';
import type { Completion } from './read-completion.js';
import type { Capabilities, ModelResponse, ModelRequest, ModelSettings, ModelUsage } from './types.js';

/** The capabilities assumed first. Nearly every server has them, and its responses show where it does not. */
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
   * Sends requests until there is a response, at most until the deadline. Waits as long as the server asks
   * for, changes the form of the request when the server rejects it, and retries after transport faults.
   *
   * @throws AppError `llm.*`, or the reason of an outside abort
   */
  ask(request: ModelRequest, deadline: Deadline): Promise<ModelResponse>;
}

const RETRIES_MAX = 2;
const FORMS_MAX = 8;
const BACKOFF_MS = 250;
/** The minimum time that a retry needs to be worth waiting for. */
const RESERVE_MS = 500;

export function createModelClient(settings: ModelSettings): ModelClient {
  let capabilities = FIRST_CAPABILITIES;
  let openai: Promise<OpenAI> | null = null;
  const breaker = createBreaker();

  async function retryUntilAnswered(
    request: ModelRequest,
    deadline: Deadline,
    attempt: { count: number },
  ): Promise<ModelResponse> {
    let retries = 0;
    let forms = 0;
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
        if (error.kind === 'form' && forms < FORMS_MAX) {
          forms += 1;
          // Another request may have learned it in the meantime.
          const learnt =
            capabilities === requested ? learnCapabilities(requested, error.stated) : capabilities;
          if (learnt === null) throw error;
          capabilities = learnt;
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
      const { restMs: delayMs, isTrial } = breaker.enter(performance.now());
      if (delayMs > 0)
        throw toModelError(
          new ModelFault('transport', 'the circuit breaker is open', delayMs),
          settings.owner,
        );
      try {
        const answer = await retryUntilAnswered(request, deadline, { count: 0 });
        breaker.succeeded();
        return answer;
      } catch (error) {
        const fault = error instanceof ModelFault ? error : deadline.signal.aborted ? toLate(deadline) : null;
        if (fault === null) {
          if (isTrial) breaker.trialLeft();
          throw error;
        }
        if (isServersFault(fault)) breaker.failed(performance.now(), fault.retryAfterMs);
        else breaker.succeeded();
        throw toModelError(fault, settings.owner);
      }
    },
  };
}

/** Returns null when the caller has left. Its own reason then applies. */
function toLate(deadline: Deadline): ModelFault | null {
  const reason: unknown = deadline.signal.reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ModelFault('transport', 'the model did not respond in time')
    : null;
}

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

/** Created for the first model that needs it. */
let fetchPublic: Fetch | null = null;

/**
 * Passes every option explicitly, so that the library reads nothing from the environment and logs nothing.
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
 * Returns how to send the next request after the server rejected the form of one, or null when nothing is
 * left to change.
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
  // JSON schemas are what the fewest servers support, so they are given up first.
  if (before.format === 'json_schema') return { ...before, format: 'json_object' };
  if (before.format === 'json_object') return { ...before, format: 'text' };
  if (before.tokens === 'max_tokens') return { ...before, tokens: 'none' };
  return null;
}
