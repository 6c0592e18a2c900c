/** The headers that show from which origin a request was sent. */
export interface RequestOrigin {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reports whether the headers of a request show a trusted origin. This protects against DNS rebinding, in
 * which the host name of another website resolves to this machine. A server on a loopback address therefore
 * accepts only loopback names in `Host`. `Origin` must be that of this server, of the console or of a
 * loopback name.
 *
 * @param publicUrl the address of this server
 * @param consoleUrl the address of the console, if it differs
 */
export function isTrustedOrigin(
  { host, origin }: RequestOrigin,
  publicUrl: string,
  consoleUrl = publicUrl,
): boolean {
  const own = new URL(publicUrl).hostname;
  const isLocal = LOOPBACK.has(own);
  if (isLocal && host !== undefined && !LOOPBACK.has(readHostname(`http://${host}`) ?? '')) return false;
  if (origin === undefined) return true;
  const from = readHostname(origin);
  return from !== null && (from === own || from === new URL(consoleUrl).hostname || LOOPBACK.has(from));
}

function readHostname(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}
