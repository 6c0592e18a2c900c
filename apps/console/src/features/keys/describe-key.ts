import type { KeyAnswer, Scope } from '@rowhouse/contracts';
import { formatCount } from '../../ui/format-number.js';

/** What each scope allows, in the order of the form. A new key has all but `query:write`. */
export const SCOPE_CHOICES: readonly { scope: Scope; title: string; text: string; isDefault: boolean }[] = [
  { scope: 'read', title: 'read', text: 'List and read records', isDefault: true },
  { scope: 'write', title: 'write', text: 'Create and update records', isDefault: true },
  { scope: 'delete', title: 'delete', text: 'Delete records', isDefault: true },
  { scope: 'query', title: 'query', text: 'Run SELECT at /query', isDefault: true },
  { scope: 'query:write', title: 'query:write', text: 'Run INSERT, UPDATE, DELETE at /query', isDefault: false },
  { scope: 'schema', title: 'schema', text: 'Read the schema', isDefault: true },
];

/** The readable part of a key: `rh_dev_…4XyZ`. */
export function describeKeyName(environment: string, last4: string): string {
  const short = environment === 'production' ? 'prod' : environment === 'development' ? 'dev' : environment;
  return `rh_${short}_…${last4}`;
}

const ROW_SCOPES: readonly Scope[] = ['read', 'write', 'delete'];

/** The scopes to show as they are. Of a key for some tables those of rows are told table by table. */
export function listScopes({ scopes, tables }: Pick<KeyAnswer, 'scopes' | 'tables'>): readonly Scope[] {
  return tables === null ? scopes : scopes.filter((scope) => !ROW_SCOPES.includes(scope));
}

/** `all tables`, or `posts (read, write), tags (read)`: what is allowed by the table and by a scope. */
export function describeTables({ scopes, tables }: Pick<KeyAnswer, 'scopes' | 'tables'>): string {
  if (tables === null) return 'all tables';
  return Object.entries(tables).map(([table, verbs]) => `${table} (${verbs.filter((verb) => scopes.includes(verb)).join(', ') || 'nothing'})`).join(', ');
}

/** What bounds a key beside its rights: `only from https://a.example; 5 requests a second`. Empty where nothing does. */
export function describeBounds({ origins, rate, rows_examined_max: rows }: Pick<KeyAnswer, 'origins' | 'rate' | 'rows_examined_max'>): string {
  return [
    ...(origins === null ? [] : [`only from ${origins.join(', ')}`]),
    ...(rate === null ? [] : [`${formatCount(rate.per_second)} requests a second`]),
    ...(rows === null ? [] : [`${formatCount(rows)} rows a statement`]),
  ].join('; ');
}

/** Origins parted by blanks or commas, a rate whose burst is twice of it, and a budget of rows; members that are empty are left out. */
export function toBounds(origins: string, perSecond: string, rowsExamined: string): { origins?: string[]; rate?: { per_second: number; burst: number }; rows_examined_max?: number } {
  const list = origins.split(/[\s,]+/).filter((origin) => origin !== '');
  const rate = Number(perSecond);
  const rows = Number(rowsExamined);
  return {
    ...(list.length === 0 ? {} : { origins: list }),
    ...(rate > 0 ? { rate: { per_second: rate, burst: Math.max(1, Math.ceil(rate * 2)) } } : {}),
    ...(rows > 0 ? { rows_examined_max: rows } : {}),
  };
}

const DAY_MS = 86_400_000;

/** Choices of the expiry field; the value is in days, empty for never. */
export const EXPIRY_CHOICES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** ISO time of an expiry choice, or undefined for never. */
export function toExpiry(days: string, nowMs: number): string | undefined {
  return days === '' ? undefined : new Date(nowMs + Number(days) * DAY_MS).toISOString();
}
