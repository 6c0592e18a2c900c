/** One of several servers that an address contains. */
export interface AddressNode {
  readonly host: string;
  readonly port: number;
}

const NODE = /^(\[[0-9a-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i;

/**
 * Splits a percent-encoded `user:password` into its two parts. An empty part becomes null.
 *
 * @throws URIError if a `%` is not followed by two hexadecimal digits
 */
export function readLogin(text: string): { readonly user: string | null; readonly password: string | null } {
  const index = text.indexOf(':');
  const [user, password] = index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
  return {
    user: user === '' ? null : decodeURIComponent(user),
    password: password === '' ? null : decodeURIComponent(password),
  };
}

/**
 * Parses a list of servers such as `host:port,host`. Returns null if a part is malformed.
 *
 * @param usualPort the port for a host that is written without one
 */
export function readNodes(text: string, usualPort: number): readonly AddressNode[] | null {
  const nodes: AddressNode[] = [];
  for (const part of text.split(',')) {
    const match = NODE.exec(part);
    const port = Number(match?.[2] ?? usualPort);
    if (match === null || port < 1 || port > 65_535) return null;
    nodes.push({ host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port });
  }
  return nodes;
}

/**
 * Parses options of the form `name=value&name=value`. Returns null if a name is unknown, because a misspelled
 * option must not be ignored.
 */
export function readOptions(text: string, known: readonly string[]): Map<string, string> | null {
  const options = new Map(
    text
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const index = part.indexOf('=');
        return [
          part.slice(0, index < 0 ? part.length : index),
          decodeURIComponent(index < 0 ? '' : part.slice(index + 1)),
        ] as const;
      }),
  );
  return [...options.keys()].every((name) => known.includes(name)) ? options : null;
}
