/** A path that matched one of the patterns, such as `/queues/:name`. */
export interface FoundRoute<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Returns the first pattern that matches a path. Returns null if none does. A parameter matches one complete
 * segment, which is decoded. A segment that cannot be decoded does not match.
 */
export function findRoute<T>(
  routes: readonly (readonly [pattern: string, target: T])[],
  path: string,
): FoundRoute<T> | null {
  const segments = path.split('/');
  for (const [pattern, target] of routes) {
    const params = matchSegments(pattern.split('/'), segments);
    if (params !== null) return { target, params };
  }
  return null;
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = decode(segment);
    else if (part !== segment) return null;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
