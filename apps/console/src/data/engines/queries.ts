import type { DatabaseResponse, EngineItem } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';

const NAMES = { mariadb: 'MariaDB', mysql: 'MySQL' } as const;

/** The engines that new databases of an organization can have. */
export const enginesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['engines', organizationId] as const,
    queryFn: () => fetchAll<EngineItem>(`/api/organizations/${organizationId}/engines`),
    staleTime: 300_000,
  });

/** Returns an engine with its version number, such as `MariaDB 10.11.6`. */
export function describeEngine(engine: keyof typeof NAMES, version: string | null): string {
  const number = /^[\d.]+/.exec(version ?? '')?.[0];
  return number === undefined ? NAMES[engine] : `${NAMES[engine]} ${number}`;
}

/** Returns the name of a database's engine. Null until the server has been reached for the first time. */
export function describeEngineOf({
  engine,
  engine_version: version,
}: Pick<DatabaseResponse, 'engine' | 'engine_version'>): string | null {
  return engine === null ? null : describeEngine(engine, version);
}
