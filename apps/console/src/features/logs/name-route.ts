/** A route as people read it. `GET /{table}` is what the gateway writes down where the path names no table of the schema. */
export function nameRoute(route: string): string {
  return route.replace(/ \/\{table\}.*$/, ' of a table that is not there');
}
