import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The scripted response to one request. By default it returns a completion with `content`. */
export interface ModelStep {
  /** The content of the message. An object is sent as JSON text. */
  readonly content?: unknown;
  readonly finish?: string;
  readonly refusal?: string;
  /** Additional or replaced members of the message. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The reported token usage. Null omits it. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `error` member of the response body. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** The body of the response, which is sent unchanged. */
  readonly raw?: string;
  readonly contentType?: string;
  /** Closes the connection after this many bytes of the body, or events of a stream. */
  readonly cutAfter?: number;
  /** Closes the connection before the response. */
  readonly reset?: boolean;
  /** Never responds. */
  readonly hang?: boolean;
  readonly delayMs?: number;
  /** The delay between chunks of the body in milliseconds. */
  readonly dribbleMs?: number;
  /** Ends a stream normally but without a finish reason. */
  readonly noFinish?: boolean;
  /** Repeats `content` this many times, for an endless response. */
  readonly repeat?: number;
}

/** Request features that the server rejects with 400. The script does not advance. */
export interface ModelManners {
  readonly formats?: readonly ('json_schema' | 'json_object' | 'text')[];
  readonly tokens?: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly temperature?: boolean;
  readonly systemRole?: boolean;
  readonly streamOnly?: boolean;
  /** Rejects longer messages with 400. */
  readonly charactersMax?: number;
  /** The text of each rejection. It does not name the unsupported feature. */
  readonly mumbles?: boolean;
}

/** One question, the model's behavior, and the expected result. */
export interface ModelCase {
  readonly name: string;
  readonly question: string;
  readonly manners?: ModelManners;
  /** The time limit of the case. Defaults to a few seconds. */
  readonly timeoutMs?: number;
  /** One step per request. The last step repeats. */
  readonly steps: readonly ModelStep[];
  readonly expect: ModelExpectation;
}

export interface ModelExpectation {
  /** The expected rows of the response. */
  readonly rows?: readonly unknown[];
  /** The expected error code. Alternatives go in `codes`. */
  readonly code?: string;
  /** The error codes of which one is expected. */
  readonly codes?: readonly string[];
  readonly repairs?: number;
  /** The expected total number of requests to the model. */
  readonly requests?: number;
  /** Whether the response has a `Retry-After` header. */
  readonly retryAfter?: boolean;
  /** Texts that must not occur in the response. */
  readonly hides?: readonly string[];
  /** Texts that the last request to the model must contain. */
  readonly asks?: readonly string[];
}

export interface ModelCaseFile {
  readonly file: string;
  readonly about: string;
  /** Statements for the database of these cases, in addition to the example schema. */
  readonly ddl: readonly string[];
  readonly cases: readonly ModelCase[];
}

/** The body of a request to the model. */
export interface ModelBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly response_format?: { readonly type: string };
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const FOLDER = new URL('../../model-cases/', import.meta.url);

/** Returns every case file, sorted by name. */
export function readModelCases(): ModelCaseFile[] {
  return readdirSync(fileURLToPath(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const {
        about,
        ddl = [],
        cases,
      } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Partial<ModelCaseFile>;
      if (about === undefined || cases === undefined) throw new Error(`${name} is no file of cases`);
      return { file: name.replace(/\.json$/, ''), about, ddl, cases };
    });
}
