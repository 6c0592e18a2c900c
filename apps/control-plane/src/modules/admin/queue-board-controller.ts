import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR } from '../../access/access-rule.js';
import { Route } from '../../http/route-spec.js';
import { BOARD_PATH, QueueBoardService } from './queue-board-service.js';

@Controller('api/admin/queues')
export class QueueBoardController {
  constructor(private readonly board: QueueBoardService) {}

  @Get()
  @Route({
    id: 'getQueueBoard',
    access: OPERATOR,
    media: 'text/html',
    summary: 'View the worker queues in a browser, read-only',
  })
  getBoard(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send(req, reply);
  }

  @Get('*')
  @Route({
    id: 'getQueueBoardPart',
    access: OPERATOR,
    media: 'application/octet-stream',
    summary: 'Get the pages, files and data of the queue board',
  })
  getPart(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send(req, reply);
  }

  async #send(req: FastifyRequest, reply: FastifyReply): Promise<void> {
    const path = (req.url.split('?')[0] ?? '').slice(BOARD_PATH.length);
    const { status, type, body } = await this.board.read(
      path === '' ? '/' : path,
      req.query as Record<string, unknown>,
    );
    if (type.startsWith('text/html')) allowOwnBase(reply);
    await reply.status(status).type(type).send(body);
  }
}

/** Allows the board's own base URL. Scripts are still limited to this origin. */
function allowOwnBase(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  void reply.header('content-security-policy', policy.replace("base-uri 'none'", "base-uri 'self'"));
}
