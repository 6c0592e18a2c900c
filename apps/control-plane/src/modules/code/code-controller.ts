import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { codeQuery, pythonCodeQuery, type CodeAnswer, type CodeQuery, type PythonCodeQuery } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { codeAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { CodeService, packCode } from './code-service.js';

@Controller('api/databases/:id/code')
export class CodeController {
  constructor(private readonly code: CodeService) {}

  @Get('python')
  @Route({
    id: 'getPythonCode', weight: 'read', access: roleOn('database', 'viewer'), query: pythonCodeQuery, answer: codeAnswer,
    summary: 'Pydantic and SQLAlchemy classes of the deployed schema, as the files of a package',
  })
  python(@Call() call: CallContext, @Query(new ZodPipe('query', pythonCodeQuery)) query: PythonCodeQuery): Promise<CodeAnswer> {
    return this.code.python(call.database, query);
  }

  @Get('python/archive')
  @Route({ id: 'downloadPythonCode', weight: 'read', access: roleOn('database', 'viewer'), query: pythonCodeQuery, media: 'application/x-tar', summary: 'The same files in a tar archive' })
  async pythonArchive(@Call() call: CallContext, @Query(new ZodPipe('query', pythonCodeQuery)) query: PythonCodeQuery, @Res() reply: FastifyReply): Promise<void> {
    await sendArchive(reply, call, await this.code.python(call.database, query));
  }

  @Get('typescript')
  @Route({
    id: 'getTypeScriptCode', weight: 'read', access: roleOn('database', 'viewer'), query: codeQuery, answer: codeAnswer,
    summary: 'Types, zod schemas and a client of the data API for the deployed schema, as files',
  })
  typeScript(@Call() call: CallContext, @Query(new ZodPipe('query', codeQuery)) query: CodeQuery): Promise<CodeAnswer> {
    return this.code.typeScript(call.database, query);
  }

  @Get('typescript/archive')
  @Route({ id: 'downloadTypeScriptCode', weight: 'read', access: roleOn('database', 'viewer'), query: codeQuery, media: 'application/x-tar', summary: 'The same files in a tar archive' })
  async typeScriptArchive(@Call() call: CallContext, @Query(new ZodPipe('query', codeQuery)) query: CodeQuery, @Res() reply: FastifyReply): Promise<void> {
    await sendArchive(reply, call, await this.code.typeScript(call.database, query));
  }
}

async function sendArchive(reply: FastifyReply, call: CallContext, code: CodeAnswer): Promise<void> {
  const name = `${code.language}-${call.database.environment}-${code.snapshot}.tar`;
  await reply.header('content-type', 'application/x-tar').header('content-disposition', `attachment; filename="${name}"`).send(Readable.from(packCode(code)));
}
