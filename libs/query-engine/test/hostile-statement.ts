/**
 * Texts that the guard rejects, by what they attempt. `tb` is another tenant's schema. `secrets` and
 * `payroll` are hidden from the key.
 */
export interface HostileStatement {
  readonly sql: string;
  readonly code: 'query.not_allowed' | 'query.invalid_sql' | 'query.unknown_table';
}

export function all(code: HostileStatement['code'], statements: readonly string[]): HostileStatement[] {
  return statements.map((sql) => ({ sql, code }));
}
