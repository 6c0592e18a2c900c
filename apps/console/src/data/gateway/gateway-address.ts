/** Returns the URL of a path below the data API, whether or not `baseUrl` includes the prefix. */
export function toGatewayAddress(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = base.endsWith('/v1/-') ? '' : '/v1/-';
  return `${base}${prefix}${path.startsWith('/') ? path : `/${path}`}`;
}

const LONG = '_tables/';

/** Returns the path of a table below the data API. Any character in its name is escaped. */
export function toTablePath({ path }: { readonly path: string }): string {
  return path.startsWith(LONG)
    ? `/${LONG}${encodeURIComponent(path.slice(LONG.length))}`
    : `/${encodeURIComponent(path)}`;
}
