import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import { openQueueBoard, type BoardAnswer, type QueueBoard } from '@rowhouse/queue';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/tokens.js';

/** Where the board hangs. */
export const BOARD_PLACE = '/api/admin/queues';

/** bull-board for the operator: opened when it is looked at for the first time. */
@Injectable()
export class QueueBoardService implements OnModuleDestroy {
  #board: Promise<QueueBoard> | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** `path` and `query` of one GET behind the board's place. Throws 404, and 503 while Redis is away. */
  async read(path: string, query: Readonly<Record<string, unknown>>): Promise<BoardAnswer> {
    this.#board ??= openQueueBoard({ redisUrl: this.config.redisUrl.reveal(), cellId: this.config.cellId, place: BOARD_PLACE });
    const board = await this.#board;
    const answer = await board.read(path, query).catch((error: unknown) => {
      throw new AppError('platform.unavailable', { retryAfterSeconds: 1, detail: 'The queues cannot be read: Redis does not answer.', internal: String(error), cause: error });
    });
    if (answer === null) throw new AppError('request.not_found');
    return answer;
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.#board)?.close();
  }
}
