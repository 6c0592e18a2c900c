/**
 * The host that a database's connection strings name. With `{database}` in it each database has a name of its own, which
 * the operator's name server points at wherever the database lies: it stays when the database is moved.
 */
export function toDirectHost(publicHost: string, schemaName: string): string {
  return publicHost.replaceAll('{database}', schemaName);
}
