import type { Secret } from '@rowhouse/runtime';

export type ModelOwner = 'installation' | 'project';

/** Which model is asked, and where. */
export interface ModelSettings {
  /** What `/chat/completions` is appended to. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly model: string;
  /** Whose it is, for what is said of its faults: the operator's unless said. */
  readonly owner?: ModelOwner;
  /** No address of an inner network is connected to, whatever the name leads to. */
  readonly isPublicOnly?: boolean;
  /** Before the second try where a server does not say; doubled with each one. */
  readonly backoffMs?: number;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The JSON that is asked for, as strict JSON Schema. */
export interface AnswerForm {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** Null: text. A server that knows no schemas is asked for any JSON object, and then for text. */
  readonly answerForm: AnswerForm | null;
  /** Of the answer. */
  readonly tokensMax: number;
  /** Told of every request that was paid for, whatever came of it. */
  readonly onUsage?: (usage: ModelUsage) => void;
}

/** Estimated from lengths where the server does not say. */
export interface ModelUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface ModelAnswer {
  /** As the model wrote it, without what it was thinking. */
  readonly text: string;
  /** As the server names it. */
  readonly model: string;
  /** Requests that it took. */
  readonly attempts: number;
}

/** How a server wants to be asked. Learnt from its refusals, once for each model. */
export interface Capabilities {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  readonly tokens: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly systemRole: boolean;
  readonly stream: boolean;
}
