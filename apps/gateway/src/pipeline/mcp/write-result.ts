import { isJsonObject, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
import type { ArgumentReader } from './argument-reader.js';
import type { InsideAnswer, InsideRequest } from './call-inside.js';

/** The arguments that all tools that write have in common. */
export function writePreferences(reader: ArgumentReader, more: readonly string[] = []): Pick<InsideRequest, 'prefer' | 'idempotencyKey'> {
  return { prefer: [...(reader.flag('dry_run') ? ['tx=rollback'] : []), ...more], idempotencyKey: reader.text('idempotency_key') };
}

export const LEFT_OUT = 'The records are written; they are too large to be shown here.';

interface WriteTold {
  /** The member that counts where there are no records to show. */
  readonly counted: 'created' | 'updated' | 'deleted';
  readonly sent: number;
  readonly records: JsonValue | null;
}

/** What was written is told, or counted where it is too large to be told: it has happened, so it is no error. */
export function toWriteResult(answer: InsideAnswer, { counted, sent, records }: WriteTold): JsonObject {
  const members = new Map<string, JsonValue>();
  if (Array.isArray(records) && !answer.isTooLarge) members.set('records', records);
  // `{"created":1}`, `{"updated":3}`: where the API counts, so does the tool.
  else if (isJsonObject(records) && !answer.isTooLarge) for (const [name, value] of records) members.set(name, value);
  else members.set(counted, { kind: 'number', text: String(sent) });
  if (answer.isTooLarge) members.set('left_out', LEFT_OUT);
  if (answer.header('Preference-Applied')?.includes('tx=rollback') === true) members.set('dry_run', true);
  if (answer.header('Idempotent-Replayed') === 'true') members.set('replayed', true);
  return members;
}
