import type { CodeResponse, DatabaseResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Context } from '../context.js';
import { syncCode, type SyncReport } from './sync-code.js';

export interface CodeTarget {
  readonly language: 'python' | 'typescript';
  readonly folder: string;
  readonly pydantic: '1' | '2';
  readonly sqlalchemy: '1.4' | '2.0';
}

/** Fetches the generated code for a database and updates the folder. */
export async function generateCode(
  ctx: Context,
  database: DatabaseResponse,
  target: CodeTarget,
  isDry: boolean,
): Promise<SyncReport & { readonly snapshot: number }> {
  const query =
    target.language === 'python' ? `?pydantic=${target.pydantic}&sqlalchemy=${target.sqlalchemy}` : '';
  const answer = await ctx
    .api()
    .get<CodeResponse>(`/api/databases/${database.id}/code/${target.language}${query}`);
  return { ...syncCode(target.folder, answer.files, isDry), snapshot: answer.snapshot };
}

/** Returns the user's choice, or the fallback if the user made none. Throws if the choice is unknown. */
export function readChoice<T extends string>(
  provided: string | undefined,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const found = choices.find((choice) => choice === provided);
  if (provided !== undefined && found === undefined)
    throw new CliError(`Unknown value ${provided} for --${name}.`, {
      exitCode: EXIT.usage,
      next: `choose one of: ${choices.join(', ')}`,
    });
  return found ?? fallback;
}
