import { AppError, validationError } from '@rowhouse/errors';
import type { EngineKind } from '@rowhouse/schema-model';

/**
 * A server on which an organization may place databases. `engine` is null until a worker has reached the
 * server.
 */
export interface ServerCandidate {
  readonly id: string;
  readonly engine: EngineKind | null;
  readonly databases: number;
  readonly databasesMax: number;
}

export interface EngineChoice {
  /** The engine that the caller requested. */
  readonly asked?: EngineKind | undefined;
  /** The engine to use if the caller requested none and a server runs it. */
  readonly preferred: EngineKind;
}

const ENGINE_NAMES: Readonly<Record<EngineKind, string>> = { mariadb: 'MariaDB', mysql: 'MySQL' };

/**
 * Lists the servers that can take `count` more databases, with the emptiest servers first. A server whose
 * engine is not known yet comes last, and is omitted if the request names an engine.
 * @throws AppError 422 if no server runs the requested engine; 503 if every suitable server is full
 */
export function chooseServers(
  candidates: readonly ServerCandidate[],
  count: number,
  { asked: requested, preferred }: EngineChoice,
): string[] {
  const suitable =
    requested === undefined
      ? ofPreferred(candidates, preferred)
      : candidates.filter((server) => server.engine === requested);
  if (requested !== undefined && suitable.length === 0) throw noSuchEngine(candidates, requested);
  const free = suitable.filter((server) => server.databases + count <= server.databasesMax);
  if (free.length === 0) throw noCapacity(requested);
  return free
    .sort(
      (a, b) =>
        Number(a.engine === null) - Number(b.engine === null) ||
        a.databases - b.databases ||
        (a.id < b.id ? -1 : 1),
    )
    .map((server) => server.id);
}

/** Returns the candidates that run the preferred engine, or all candidates if none does. */
function ofPreferred(
  candidates: readonly ServerCandidate[],
  preferred: EngineKind,
): readonly ServerCandidate[] {
  if (!candidates.some((server) => server.engine === preferred)) return candidates;
  return candidates.filter((server) => server.engine === preferred || server.engine === null);
}

function noSuchEngine(candidates: readonly ServerCandidate[], requested: EngineKind): AppError {
  const present = [...new Set(candidates.flatMap(({ engine }) => engine ?? []))].sort();
  const hint =
    present.length === 0
      ? 'Try again in a moment.'
      : `Databases can run on ${present.map((engine) => `${ENGINE_NAMES[engine]} ("${engine}")`).join(' or ')}.`;
  return validationError(
    'body.invalid',
    [
      {
        loc: ['body', 'engine'],
        msg: `No database server of this installation runs ${ENGINE_NAMES[requested]}.`,
        type: 'unknown_engine',
      },
    ],
    hint,
  );
}

/** Returns the error for the case that every server with the engine is full. */
export function noCapacity(requested?: EngineKind): AppError {
  const kind = requested === undefined ? 'database' : ENGINE_NAMES[requested];
  return new AppError('platform.unavailable', {
    detail: `All ${kind} servers are full. Ask the operator to add one.`,
    retryAfterSeconds: 60,
  });
}
