import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The response of the model server to one request. By default, it is a completion with `content`. */
export interface ModelStep {
  /** The content of the message. An object is sent as JSON text. */
  readonly content?: unknown;
  readonly finish?: string;
  readonly refusal?: string;
  /** Members to add to the message or to replace in it. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The token usage to report. Null omits it. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The member `error` of the response body. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** The body of the response, which is sent as it is. */
  readonly raw?: string;
  readonly contentType?: string;
  /** The number of bytes of the body, or of events of a stream, after which the connection is closed. */
  readonly cutAfter?: number;
  /** Whether the connection is closed before the response. */
  readonly reset?: boolean;
  /** Whether the server never responds. */
  readonly hang?: boolean;
  readonly delayMs?: number;
  /** The delay between chunks of the body in milliseconds. */
  readonly dribbleMs?: number;
  /** Whether a stream ends normally, but without a finish reason. */
  readonly noFinish?: boolean;
  /** How many times `content` is repeated, to simulate an endless response. */
  readonly repeat?: number;
}

/**
 * The features of requests that the server supports. It rejects a request with any other feature with status
 * 400, and uses the same step for the next request.
 */
export interface ModelBehavior {
  readonly formats?: readonly ('json_schema' | 'json_object' | 'text')[];
  readonly tokens?: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly temperature?: boolean;
  readonly systemRole?: boolean;
  readonly streamOnly?: boolean;
  /** The maximum number of characters in the messages. A longer request is rejected with 400. */
  readonly charactersMax?: number;
  /** Whether the text of a rejection does not name the unsupported feature. */
  readonly hasVagueErrors?: boolean;
}

/** One question, the behavior of the model, and the expected result. */
export interface ModelCase {
  readonly name: string;
  readonly question: string;
  readonly behavior?: ModelBehavior;
  /** The time limit of the case in milliseconds. The default is a few seconds. */
  readonly timeoutMs?: number;
  /** One step for each request. The last step is repeated. */
  readonly steps: readonly ModelStep[];
  readonly expect: ModelExpectation;
}

export interface ModelExpectation {
  /** The expected rows of the response. */
  readonly rows?: readonly unknown[];
  /** The expected error code. If several are possible, use `codes`. */
  readonly code?: string;
  /** Error codes, one of which is expected. */
  readonly codes?: readonly string[];
  readonly repairs?: number;
  /** The expected total number of requests to the model. */
  readonly requests?: number;
  /** Whether the response must have the header `Retry-After`. */
  readonly retryAfter?: boolean;
  /** Texts that the response must not contain. */
  readonly hides?: readonly string[];
  /** Texts that the last request to the model must contain. */
  readonly asks?: readonly string[];
}

export interface ModelCaseFile {
  readonly file: string;
  readonly about: string;
  /** Statements for the database of these cases, in addition to those of the example schema. */
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

/** Returns all files with cases, sorted by name. */
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
