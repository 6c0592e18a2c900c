/** Returns the name of a node, unique within its server, for the log and as a key. */
export function nameNode({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}
