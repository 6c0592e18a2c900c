import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { moveDatabaseRequest, type MoveDatabaseRequest } from '@rowhouse/contracts';
import { OPERATOR } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { moveResponse } from '../../response-schemas/operator.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { MoveService, type MoveResponse } from './move-service.js';

@Controller('api/admin/databases/:id/move')
export class MoveController {
  constructor(private readonly moves: MoveService) {}

  @Post()
  @Route({
    id: 'moveDatabase',
    summary: 'Move a database to another server without downtime. Follow the move with GET',
    access: OPERATOR,
    body: moveDatabaseRequest,
    answer: moveResponse,
    status: 202,
  })
  begin(
    @Call() context: RequestContext,
    @Param('id') id: string,
    @Body(new ZodPipe('body', moveDatabaseRequest)) body: MoveDatabaseRequest,
  ): Promise<MoveResponse> {
    return this.moves.begin(context, id, body.server);
  }

  @Get()
  @Route({
    id: 'getMove',
    summary: 'Get the progress of the last move of a database',
    access: OPERATOR,
    answer: moveResponse,
  })
  get(@Param('id') id: string): Promise<MoveResponse> {
    return this.moves.get(id);
  }

  @Delete()
  @Route({
    id: 'cancelMove',
    summary: 'Cancel a move before the database has been switched to the other server',
    access: OPERATOR,
    answer: moveResponse,
    status: 202,
  })
  cancel(@Call() context: RequestContext, @Param('id') id: string): Promise<MoveResponse> {
    return this.moves.cancel(context, id);
  }
}
