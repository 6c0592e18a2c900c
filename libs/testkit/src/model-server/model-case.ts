import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the scripted model does with one request. Without `status`, `raw` and the faults: a completion that holds `content`. */
export interface ModelStep {
  /** An object is sent as JSON text. */
  readonly content?: unknown;
  readonly finish?: string;
  readonly refusal?: string;
  /** Members of the message besides, or instead of, its content. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Null: none is told. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body's `error`. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** Sent as the body as it is. */
  readonly raw?: string;
  readonly contentType?: string;
  /** The connection ends after so many bytes of the body, or events of a stream. */
  readonly cutAfter?: number;
  /** The connection ends before anything was said. */
  readonly reset?: boolean;
  /** Nothing is ever said. */
  readonly hang?: boolean;
  readonly delayMs?: number;
  /** Between pieces of the body. */
  readonly dribbleMs?: number;
  /** A stream that ends as if all were well, but says no reason. */
  readonly noFinish?: boolean;
  /** Repeats `content` so many times: an answer without end. */
  readonly repeat?: number;
}

/** What a server does not take; it answers such requests with 400, as servers do, and the script stays where it is. */
export interface ModelManners {
  readonly formats?: readonly ('json_schema' | 'json_object' | 'text')[];
  readonly tokens?: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly temperature?: boolean;
  readonly systemRole?: boolean;
  readonly streamOnly?: boolean;
  /** 400 where the messages are longer. */
  readonly charactersMax?: number;
  /** Refuses with these words and no more, whatever it is that it does not take. */
  readonly mumbles?: boolean;
}

/** One question, what the model does about it, and what has to come of it. */
export interface ModelCase {
  readonly name: string;
  readonly question: string;
  readonly manners?: ModelManners;
  /** For all of it; a few seconds unless said. */
  readonly timeoutMs?: number;
  /** One step for each request; the last one answers all that follow. */
  readonly steps: readonly ModelStep[];
  readonly expect: ModelExpectation;
}

export interface ModelExpectation {
  /** Rows of the answer. */
  readonly rows?: readonly unknown[];
  /** The error code; what it may not be is named in `codes`. */
  readonly code?: string;
  /** Any one of these is as good as the other. */
  readonly codes?: readonly string[];
  readonly repairs?: number;
  /** Requests to the model in all. */
  readonly requests?: number;
  /** `Retry-After` is there. */
  readonly retryAfter?: boolean;
  /** Must not be anywhere in the answer. */
  readonly hides?: readonly string[];
  /** Must be in what the model was asked at last. */
  readonly asks?: readonly string[];
}

export interface ModelCaseFile {
  readonly file: string;
  readonly about: string;
  /** Statements for the database of these cases, on top of the example schema. */
  readonly ddl: readonly string[];
  readonly cases: readonly ModelCase[];
}

const FOLDER = new URL('../../model-cases/', import.meta.url);

/** Every case file, by name. */
export function readModelCases(): ModelCaseFile[] {
  return readdirSync(fileURLToPath(FOLDER)).filter((name) => name.endsWith('.json')).sort().map((name) => {
    const { about, ddl = [], cases } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Partial<ModelCaseFile>;
    if (about === undefined || cases === undefined) throw new Error(`${name} is no file of cases`);
    return { file: name.replace(/\.json$/, ''), about, ddl, cases };
  });
}
