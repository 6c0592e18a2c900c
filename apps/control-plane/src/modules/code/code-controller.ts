import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import {
  codeQuery,
  pythonCodeQuery,
  type CodeResponse,
  type CodeQuery,
  type PythonCodeQuery,
} from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { codeResponse } from '../../response-schemas/databases.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { CodeService, packCode } from './code-service.js';

@Controller('api/databases/:id/code')
export class CodeController {
  constructor(private readonly code: CodeService) {}

  @Get('python')
  @Route({
    id: 'getPythonCode',
    costClass: 'read',
    access: roleOn('database', 'viewer'),
    query: pythonCodeQuery,
    answer: codeResponse,
    summary: 'Generate Pydantic and SQLAlchemy classes for the deployed schema, as the files of a package',
  })
  python(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pythonCodeQuery)) query: PythonCodeQuery,
  ): Promise<CodeResponse> {
    return this.code.python(context.database, query);
  }

  @Get('python/archive')
  @Route({
    id: 'downloadPythonCode',
    costClass: 'read',
    access: roleOn('database', 'viewer'),
    query: pythonCodeQuery,
    media: 'application/x-tar',
    summary: 'Get the same files as a tar archive',
  })
  async pythonArchive(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pythonCodeQuery)) query: PythonCodeQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendArchive(reply, context, await this.code.python(context.database, query));
  }

  @Get('typescript')
  @Route({
    id: 'getTypeScriptCode',
    costClass: 'read',
    access: roleOn('database', 'viewer'),
    query: codeQuery,
    answer: codeResponse,
    summary: 'Generate TypeScript types, Zod schemas and a data API client for the deployed schema, as files',
  })
  typeScript(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', codeQuery)) query: CodeQuery,
  ): Promise<CodeResponse> {
    return this.code.typeScript(context.database, query);
  }

  @Get('typescript/archive')
  @Route({
    id: 'downloadTypeScriptCode',
    costClass: 'read',
    access: roleOn('database', 'viewer'),
    query: codeQuery,
    media: 'application/x-tar',
    summary: 'Get the same files as a tar archive',
  })
  async typeScriptArchive(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', codeQuery)) query: CodeQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendArchive(reply, context, await this.code.typeScript(context.database, query));
  }
}

async function sendArchive(reply: FastifyReply, context: RequestContext, code: CodeResponse): Promise<void> {
  const name = `${code.language}-${context.database.environment}-${code.snapshot}.tar`;
  await reply
    .header('content-type', 'application/x-tar')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(packCode(code)));
}
