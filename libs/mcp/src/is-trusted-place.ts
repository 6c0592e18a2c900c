/** Where a request came from, as its headers tell. */
export interface CallPlace {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request may be from where it says. A page of another site gets in by no name of ours: its own name may lead to
 * this machine, so a server on loopback listens to loopback names alone, and an `Origin` is one of ours or of loopback.
 * `publicUrl`: where programs find this server; `consoleUrl`: where the console is, when that is elsewhere.
 */
export function isTrustedPlace({ host, origin }: CallPlace, publicUrl: string, consoleUrl = publicUrl): boolean {
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
