/**
 * Returns the host in the connection strings of a database. With `{database}`, each database has its own
 * name, which the operator's DNS points to its current server. The name stays the same when the database is
 * moved.
 */
export function toDirectHost(publicHost: string, schemaName: string): string {
  return publicHost.replaceAll('{database}', schemaName);
}
