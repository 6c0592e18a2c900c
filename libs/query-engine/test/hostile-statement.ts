/** Texts that the guard refuses, by what they try. `tb` is another tenant's schema; `secrets` and `payroll` are out of the key's reach. */
export interface HostileStatement {
  readonly sql: string;
  readonly code: 'query.not_allowed' | 'query.invalid_sql' | 'query.unknown_table';
}

export function all(code: HostileStatement['code'], statements: readonly string[]): HostileStatement[] {
  return statements.map((sql) => ({ sql, code }));
}
