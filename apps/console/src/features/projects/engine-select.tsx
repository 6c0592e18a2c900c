import type { EngineItem } from '@rowhouse/contracts';
import { NativeSelect, type MantineSize } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { enginesQuery, describeEngine } from '../../data/engines/queries.js';

export type Engine = EngineItem['engine'];

interface EngineSelectProps {
  readonly organizationId: string;
  /** The selected engine. Undefined selects the default engine. */
  readonly value: Engine | undefined;
  readonly onChange: (engine: Engine | undefined) => void;
  /**
   * The engine of a database if the user selects none. Undefined means the default that the operator has set.
   */
  readonly usual?: Engine | undefined;
  readonly size?: MantineSize;
}

/** Selects a database engine. It is shown only if the organization has more than one engine. */
export function EngineSelect({ organizationId, value, onChange, usual, size = 'sm' }: EngineSelectProps) {
  const engines = useQuery(enginesQuery(organizationId)).data ?? [];
  if (engines.length < 2) return null;
  const chosen = value ?? usual ?? engines.find((item) => item.is_default)?.engine;
  return (
    <NativeSelect
      label="Engine"
      size={size}
      data={engines.map(({ engine, versions }) => ({
        value: engine,
        label: describeEngine(engine, versions.length === 1 ? (versions[0] ?? null) : null),
      }))}
      value={chosen}
      onChange={(event) =>
        onChange(engines.find(({ engine }) => engine === event.currentTarget.value)?.engine)
      }
    />
  );
}
