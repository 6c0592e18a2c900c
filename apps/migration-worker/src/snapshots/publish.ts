import { databaseRecordKey } from '@rowhouse/contracts';
import {
  publishSnapshot,
  type ClaimedMigration,
  type DirectChange,
  type PublishOutcome,
  type WorkerDatabase,
} from '@rowhouse/platform-store';
import type { EncodedSnapshot } from '@rowhouse/snapshot-store';
import type { PublishContext } from '../worker-context.js';

export interface Publication {
  readonly database: Pick<WorkerDatabase, 'id'>;
  readonly content: EncodedSnapshot;
  readonly afterNumber: number;
  readonly origin: 'provision' | 'migration' | 'direct';
  readonly migration?: ClaimedMigration;
  readonly history?: DirectChange;
  readonly marksReady?: boolean;
}

/**
 * Publishes a snapshot: its content, its number, the pointer to it, and the entry in the change log are
 * written in one transaction. Afterwards, the cached copy is deleted and gateways are notified.
 */
export async function publish(ctx: PublishContext, publication: Publication): Promise<PublishOutcome> {
  const { content, migration } = publication;
  const outcome = await publishSnapshot(ctx.platform, ctx.cellId, {
    databaseId: publication.database.id,
    ...content,
    origin: publication.origin,
    afterNumber: publication.afterNumber,
    migration:
      migration === undefined
        ? undefined
        : { id: migration.id, owner: ctx.owner, fencingToken: migration.fencingToken },
    history: publication.history,
    marksReady: publication.marksReady ?? false,
  });
  if (outcome.kind === 'published') {
    ctx.failPoint('published-not-announced');
    await ctx.changes.announce(outcome.entry, [databaseRecordKey(ctx.cellId, publication.database.id)]);
    // The tables and columns may have other names now, so the index of values is updated. A failure only
    // delays the index.
    await ctx.values
      .want(publication.database.id, 0)
      .catch((error: unknown) =>
        ctx.logger.warn(
          { database: publication.database.id, err: error },
          'the value index was not made due',
        ),
      );
    ctx.logger.info(
      {
        database: publication.database.id,
        snapshot: outcome.number,
        origin: publication.origin,
        seq: outcome.entry.seq,
      },
      'snapshot published',
    );
  }
  return outcome;
}
