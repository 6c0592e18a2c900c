import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import type { BoardResponse, QueueBoard } from '@rowhouse/queue';
import { openQueueBoard } from '@rowhouse/queue/job-notifications';
import type { Config } from '../../config.js';
import { openOnce, type OpenedOnce } from '../../platform/open-once.js';
import { CONFIG } from '../../platform/tokens.js';

/** The path of the board. */
export const BOARD_PATH = '/api/admin/queues';

/** Serves bull-board to operators. The board is created on first use, and again after a failure. */
@Injectable()
export class QueueBoardService implements OnModuleDestroy {
  readonly #board: OpenedOnce<QueueBoard>;

  constructor(@Inject(CONFIG) config: Config) {
    this.#board = openOnce(() =>
      openQueueBoard({ redisUrl: config.redisUrl.reveal(), cellId: config.cellId, place: BOARD_PATH }),
    );
  }

  /** Handles a GET request below the board's path. Throws 404, or 503 while Redis is unavailable. */
  async read(path: string, query: Readonly<Record<string, unknown>>): Promise<BoardResponse> {
    const board = await this.#board.get();
    const answer = await board.read(path, query).catch((error: unknown) => {
      throw new AppError('platform.unavailable', {
        retryAfterSeconds: 1,
        detail: 'The queues cannot be read because Redis does not respond.',
        internal: String(error),
        cause: error,
      });
    });
    if (answer === null) throw new AppError('request.not_found');
    return answer;
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.#board.getOpen())?.close();
  }
}
