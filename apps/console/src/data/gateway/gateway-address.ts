/** The address of a path below the data API, whether or not `baseUrl` carries the prefix already. */
export function toGatewayAddress(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = base.endsWith('/v1/-') ? '' : '/v1/-';
  return `${base}${prefix}${path.startsWith('/') ? path : `/${path}`}`;
}
