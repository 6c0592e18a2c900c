import type { Secret } from '@rowhouse/runtime';

export type ModelOwner = 'installation' | 'project';

/** The address and name of a model. */
export interface ModelSettings {
  /** The address to which `/chat/completions` is appended. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly model: string;
  /** The owner of the model. Error texts depend on it. Defaults to the installation. */
  readonly owner?: ModelOwner;
  /** Only public addresses are connected to, whatever the name resolves to. */
  readonly isPublicOnly?: boolean;
  /** The delay before the first retry when the server names none. It doubles with each retry. */
  readonly backoffMs?: number;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The requested JSON, as a strict JSON Schema. */
export interface ResponseForm {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** Null requests text. A server without schema support is asked for a JSON object, and then for text. */
  readonly answerForm: ResponseForm | null;
  /** The maximum number of response tokens. */
  readonly tokensMax: number;
  /** Called for every request that used tokens, whatever its result. */
  readonly onUsage?: (usage: ModelUsage) => void;
}

/** Token counts. They are estimated from lengths when the server does not report them. */
export interface ModelUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface ModelResponse {
  /** The response text without the model's thoughts. */
  readonly text: string;
  /** The name that the server reported. */
  readonly model: string;
  /** The number of requests sent. */
  readonly attempts: number;
}

/** The form in which a server accepts requests. It is learned from rejected requests, once per model. */
export interface Capabilities {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  readonly tokens: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly systemRole: boolean;
  readonly stream: boolean;
}
