import { CliError, EXIT } from '../cli-error.js';

interface ErrorBody {
  readonly code?: string;
  readonly detail?: unknown;
  readonly hint?: string;
  readonly request_id?: string;
}

/** What to do next, for error codes whose responses have no hint. */
const NEXT: Readonly<Record<string, string>> = {
  'schema.loss_not_accepted': 'look at rowhouse schema diff; --accept-loss goes on all the same',
  'schema.needs_confirmation': 'look at rowhouse schema diff; --yes confirms the plan',
  'schema.stale_base': 'rowhouse schema pull, bring your change in again, and repeat',
  'auth.role': 'ask an admin of the organization for a higher role',
  'db.provisioning': 'wait a few seconds and repeat',
  'query.not_allowed': 'send one SELECT, or a question in words',
  'query.unknown_table': 'rowhouse schema pull - --deployed shows what there is',
  'query.unknown_column': 'rowhouse schema pull - --deployed shows what there is',
};
const NEXT_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'rowhouse login, or set ROWHOUSE_TOKEN to a token that holds',
  403: 'ask an admin of the organization for the right to do this',
  404: 'see what there is: rowhouse projects list, rowhouse databases list',
  409: 'see what stands in the way above, then repeat',
  422: 'correct what is named above',
  429: 'wait as long as it says and repeat',
};

/** Converts an error response to an error for the terminal. */
export function toCliError(status: number, text: string, url: string): CliError {
  const body = parseBody(text);
  const code = body.code ?? `http.${status}`;
  const next = [body.hint, NEXT[code] ?? (body.hint === undefined ? (NEXT_BY_STATUS[status] ?? (status < 500 ? 'correct what is named above' : 'repeat it; if it stays, tell the operator the id of the request')) : undefined)].filter((one) => one !== undefined);
  const exitCode = status === 401 ? EXIT.signedOut : EXIT.failed;
  const id = status >= 500 && body.request_id !== undefined ? ` (request ${body.request_id})` : '';
  return new CliError(`${toSentence(body.detail, status, url)}${id}`, { exitCode, next: next.join('; '), body: { ...body, status } });
}

function toSentence(detail: unknown, status: number, url: string): string {
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return `${url} answered ${status}.`;
  return (detail as { loc?: readonly (string | number)[]; msg?: string }[]).map(({ loc = [], msg = '' }) => (loc.length < 2 ? msg : `${loc.slice(1).join('.')}: ${msg}`)).join('\n       ');
}

function parseBody(text: string): ErrorBody {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
