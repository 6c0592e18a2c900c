import type { KeyResponse, Scope } from '@rowhouse/contracts';
import { DAY_MS } from '@rowhouse/contracts/constants';
import { formatCount } from '../../ui/formatting/format-number.js';

/** The permissions of each scope of an API key, in the order of the form. */
export const SCOPE_CHOICES: readonly { scope: Scope; title: string; text: string }[] = [
  { scope: 'read', title: 'read', text: 'List and read rows' },
  { scope: 'write', title: 'write', text: 'Create and update rows' },
  { scope: 'delete', title: 'delete', text: 'Delete rows' },
  { scope: 'query', title: 'query', text: 'Run SELECT at /query' },
  {
    scope: 'query:write',
    title: 'query:write',
    text: 'Run INSERT, UPDATE, DELETE at /query',
  },
  { scope: 'schema', title: 'schema', text: 'Read the schema' },
];

/** A set of scopes for a common use of a key. */
export interface KeyPreset {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly scopes: readonly Scope[];
  /** The number of days until the key expires, as an option of the expiry field. */
  readonly days: string;
}

/** The common uses of a key, the one with the fewest rights first. The form starts with the first. */
export const KEY_PRESETS: readonly KeyPreset[] = [
  { id: 'read', title: 'Read only', text: 'Reads rows', scopes: ['read'], days: '90' },
  {
    id: 'browser',
    title: 'Browser',
    text: 'Reads rows, from your sites only',
    scopes: ['read'],
    days: '365',
  },
  {
    id: 'agent',
    title: 'Agent',
    text: 'Reads rows and the schema, runs SELECT',
    scopes: ['read', 'query', 'schema'],
    days: '30',
  },
  {
    id: 'server',
    title: 'Server',
    text: 'Reads, writes and deletes rows',
    scopes: ['read', 'write', 'delete', 'query', 'schema'],
    days: '',
  },
];

/** Returns the readable part of a key, such as `rh_dev_…4XyZ`. */
export function describeKeyName(environment: string, last4: string): string {
  const short = environment === 'production' ? 'prod' : environment === 'development' ? 'dev' : environment;
  return `rh_${short}_…${last4}`;
}

const ROW_SCOPES: readonly Scope[] = ['read', 'write', 'delete'];

/**
 * Returns the scopes to list for a key. If the key is restricted to some tables, scopes about rows are left
 * out, because they are shown with each table.
 */
export function listScopes({ scopes, tables }: Pick<KeyResponse, 'scopes' | 'tables'>): readonly Scope[] {
  return tables === null ? scopes : scopes.filter((scope) => !ROW_SCOPES.includes(scope));
}

/**
 * Returns `all tables`, or for example `posts (read, write), tags (read)`. A permission is listed for a table
 * if both the table's entry and a scope of the key allow it.
 */
export function describeTables({ scopes, tables }: Pick<KeyResponse, 'scopes' | 'tables'>): string {
  if (tables === null) return 'all tables';
  return Object.entries(tables)
    .map(
      ([table, verbs]) =>
        `${table} (${verbs.filter((verb) => scopes.includes(verb)).join(', ') || 'nothing'})`,
    )
    .join(', ');
}

/**
 * Describes the limits of a key, for example `only from https://a.example; 5 requests a second`. Returns an
 * empty string if the key has no limits.
 */
export function describeBounds({
  origins,
  rate,
  rows_examined_max: rows,
}: Pick<KeyResponse, 'origins' | 'rate' | 'rows_examined_max'>): string {
  return [
    ...(origins === null ? [] : [`only from ${origins.join(', ')}`]),
    ...(rate === null ? [] : [`${formatCount(rate.per_second)} requests per second`]),
    ...(rows === null ? [] : [`${formatCount(rows)} rows per query`]),
  ].join('; ');
}

/**
 * Parses the form's fields for limits of a key. Origins are separated by spaces or commas. The burst is twice
 * the rate. Empty fields are left out.
 */
export function toBounds(
  origins: string,
  perSecond: string,
  rowsExamined: string,
): { origins?: string[]; rate?: { per_second: number; burst: number }; rows_examined_max?: number } {
  const list = origins.split(/[\s,]+/).filter((origin) => origin !== '');
  const rate = Number(perSecond);
  const rows = Number(rowsExamined);
  return {
    ...(list.length === 0 ? {} : { origins: list }),
    ...(rate > 0 ? { rate: { per_second: rate, burst: Math.max(1, Math.ceil(rate * 2)) } } : {}),
    ...(rows > 0 ? { rows_examined_max: rows } : {}),
  };
}

const UNUSED_AFTER_DAYS = 30;

/**
 * Returns a hint for a key that nothing seems to need, because it was not used for 30 days. Returns null for
 * any other key.
 */
export function describeDisuse(
  key: Pick<KeyResponse, 'created_at' | 'last_used_at'>,
  nowMs: number,
): string | null {
  const idleMs = nowMs - Date.parse(key.last_used_at ?? key.created_at);
  if (idleMs < UNUSED_AFTER_DAYS * DAY_MS) return null;
  return key.last_used_at === null
    ? 'Never used. Revoke it if no app needs it.'
    : `Not used for ${Math.floor(idleMs / DAY_MS)} days. Revoke it if no app needs it.`;
}

/** The options of the expiry field. A value is a number of days, or empty for a key that never expires. */
export const EXPIRY_CHOICES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** Returns the time at which a key expires in ISO format, or undefined if it never expires. */
export function toExpiry(days: string, nowMs: number): string | undefined {
  return days === '' ? undefined : new Date(nowMs + Number(days) * DAY_MS).toISOString();
}
