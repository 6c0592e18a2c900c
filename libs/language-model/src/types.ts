import type { Secret } from '@rowhouse/runtime';

export type ModelOwner = 'installation' | 'project';

/** The address and the name of a model, with further settings. */
export interface ModelSettings {
  /** The base URL, to which `/chat/completions` is appended. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly model: string;
  /** The owner of the model, on which the texts of errors depend. The default is the installation. */
  readonly owner?: ModelOwner;
  /** Whether connections are only allowed to public addresses, whatever the host name resolves to. */
  readonly isPublicOnly?: boolean;
  /**
   * The delay in milliseconds before the first retry, if the server asks for none. It doubles with each
   * retry.
   */
  readonly backoffMs?: number;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The form of the requested JSON, as a strict JSON Schema. */
export interface ResponseForm {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /**
   * The requested form of the response. Null requests plain text. A server that does not support schemas is
   * asked for a JSON object, and then for text.
   */
  readonly answerForm: ResponseForm | null;
  /** The maximum number of tokens in the response. */
  readonly tokensMax: number;
  /** Called for every request that used tokens, whatever its result. */
  readonly onUsage?: (usage: ModelUsage) => void;
}

/**
 * The numbers of tokens. If the server does not report them, they are estimated from the lengths of the
 * texts.
 */
export interface ModelUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface ModelResponse {
  /** The text of the response, without the model's reasoning. */
  readonly text: string;
  /** The model's name, as reported by the server. */
  readonly model: string;
  /** The number of requests that were sent. */
  readonly attempts: number;
}

/**
 * The form in which a server accepts requests. It is determined from rejected requests, once for each model.
 */
export interface Capabilities {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  readonly tokens: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly systemRole: boolean;
  readonly stream: boolean;
}
