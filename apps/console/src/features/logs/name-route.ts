/**
 * Returns a readable name of a route. If the path names no table of the schema, the gateway logs a route such
 * as `GET /{table}`.
 */
export function nameRoute(route: string): string {
  return route.replace(/ \/\{table\}.*$/, ' (unknown table)');
}
