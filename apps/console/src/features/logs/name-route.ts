/** Returns a readable route. The gateway logs `GET /{table}` if the path names no table of the schema. */
export function nameRoute(route: string): string {
  return route.replace(/ \/\{table\}.*$/, ' (unknown table)');
}
