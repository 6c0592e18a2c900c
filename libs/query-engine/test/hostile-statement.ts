/**
 * A text that the guard rejects, grouped by what it attempts. `tb` is the schema of another tenant. `secrets`
 * and `payroll` are tables that are hidden from the API key.
 */
export interface HostileStatement {
  readonly sql: string;
  readonly code: 'query.not_allowed' | 'query.invalid_sql' | 'query.unknown_table';
}

export function all(code: HostileStatement['code'], statements: readonly string[]): HostileStatement[] {
  return statements.map((sql) => ({ sql, code }));
}
