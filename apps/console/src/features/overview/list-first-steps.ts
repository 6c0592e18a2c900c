import type { KeyResponse } from '@rowhouse/contracts';

export type FirstStepName = 'table' | 'row' | 'key' | 'call' | 'agent' | 'invite';

export interface FirstStep {
  readonly name: FirstStepName;
  readonly label: string;
  readonly isDone: boolean;
}

/** The facts about a new project. Null means that a fact is not loaded yet. */
export interface ProjectProgress {
  readonly tables: number;
  readonly hasRows: boolean | null;
  readonly keys: readonly Pick<KeyResponse, 'last_used_at'>[] | null;
  /** Whether the database has received a request over MCP. */
  readonly hasAgent: boolean | null;
  readonly members: number | null;
  readonly invitations: number | null;
  /** Whether the user may invite members. If so, the list has a step for invitations. */
  readonly mayInvite: boolean;
}

/**
 * Returns the setup steps in their recommended order. Returns null until all facts are loaded, because a list
 * that changes while it loads would be misleading.
 */
export function listFirstSteps(progress: ProjectProgress): readonly FirstStep[] | null {
  const { tables, hasRows, keys, hasAgent, members, invitations, mayInvite } = progress;
  if (
    hasRows === null ||
    keys === null ||
    hasAgent === null ||
    members === null ||
    (invitations === null && mayInvite)
  )
    return null;
  return [
    { name: 'table', label: 'Create a table', isDone: tables > 0 },
    { name: 'row', label: 'Add the first row', isDone: hasRows },
    { name: 'key', label: 'Create an API key', isDone: keys.length > 0 },
    {
      name: 'call',
      label: 'Call the API with your key',
      isDone: keys.some((key) => key.last_used_at !== null),
    },
    { name: 'agent', label: 'Connect an AI agent (MCP)', isDone: hasAgent },
    ...(mayInvite
      ? [
          {
            name: 'invite',
            label: 'Invite a teammate',
            isDone: members > 1 || (invitations ?? 0) > 0,
          } as const,
        ]
      : []),
  ];
}
