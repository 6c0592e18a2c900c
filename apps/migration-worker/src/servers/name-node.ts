/** How a node is told apart from the others of its server, and called in the log. */
export function nameNode({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}
