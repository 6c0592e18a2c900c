/** The address of a path below the data API, whether or not `baseUrl` carries the prefix already. */
export function toGatewayAddress(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = base.endsWith('/v1/-') ? '' : '/v1/-';
  return `${base}${prefix}${path.startsWith('/') ? path : `/${path}`}`;
}

const LONG = '_tables/';

/** The path of a table below the data API. Its name may hold any character: none of them means anything in an address. */
export function toTablePath({ path }: { readonly path: string }): string {
  return path.startsWith(LONG) ? `/${LONG}${encodeURIComponent(path.slice(LONG.length))}` : `/${encodeURIComponent(path)}`;
}
