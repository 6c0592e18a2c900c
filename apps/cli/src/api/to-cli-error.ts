import { CliError, EXIT } from '../cli-error.js';

interface ErrorBody {
  readonly code?: string;
  readonly detail?: unknown;
  readonly hint?: string;
  readonly request_id?: string;
}

/** The next steps that are shown for error codes whose responses have no hint. */
const NEXT: Readonly<Record<string, string>> = {
  'schema.loss_not_accepted': 'review the losses with rowhouse schema diff, then repeat with --accept-loss',
  'schema.needs_confirmation': 'review the plan with rowhouse schema diff, then repeat with --yes',
  'schema.stale_base': 'run rowhouse schema pull, make your change again, and repeat',
  'auth.role': 'ask an admin of the organization for a higher role',
  'db.provisioning': 'wait a few seconds and try again',
  'query.not_allowed': 'send a single SELECT statement or a question',
  'query.unknown_table': 'run rowhouse schema pull - --deployed to list tables and columns',
  'query.unknown_column': 'run rowhouse schema pull - --deployed to list tables and columns',
};
const NEXT_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'run rowhouse login, or set ROWHOUSE_TOKEN to a valid token',
  403: 'ask an admin of the organization for permission',
  404: 'list what exists with rowhouse projects list and rowhouse databases list',
  409: 'resolve the conflict above and try again',
  422: 'correct the values above and try again',
  429: 'wait and try again',
};

/** Converts an error response to an error for the terminal. */
export function toCliError(status: number, text: string, url: string): CliError {
  const body = parseBody(text);
  const code = body.code ?? `http.${status}`;
  const next = [
    body.hint,
    NEXT[code] ??
      (body.hint === undefined
        ? (NEXT_BY_STATUS[status] ??
          (status < 500
            ? 'correct the values above and try again'
            : 'try again; if the error persists, send the request id to your administrator'))
        : undefined),
  ].filter((item) => item !== undefined);
  const exitCode = status === 401 ? EXIT.signedOut : EXIT.failed;
  const id = status >= 500 && body.request_id !== undefined ? ` (request ${body.request_id})` : '';
  return new CliError(`${toSentence(body.detail, status, url)}${id}`, {
    exitCode,
    next: next.join('; '),
    body: { ...body, status },
  });
}

function toSentence(detail: unknown, status: number, url: string): string {
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return `${url} returned status ${status}.`;
  return (detail as { loc?: readonly (string | number)[]; msg?: string }[])
    .map(({ loc = [], msg = '' }) => (loc.length < 2 ? msg : `${loc.slice(1).join('.')}: ${msg}`))
    .join('\n       ');
}

function parseBody(text: string): ErrorBody {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
