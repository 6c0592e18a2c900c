import { Controller, Get, Query } from '@nestjs/common';
import { pythonCodeQuery, type CodeAnswer, type PythonCodeQuery } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { codeAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { CodeService } from './code-service.js';

@Controller('api/databases/:id/code')
export class CodeController {
  constructor(private readonly code: CodeService) {}

  @Get('python')
  @Route({
    id: 'getPythonCode', access: roleOn('database', 'viewer'), query: pythonCodeQuery, answer: codeAnswer,
    summary: 'Pydantic and SQLAlchemy classes of the deployed schema, as the files of a package',
  })
  python(@Call() call: CallContext, @Query(new ZodPipe('query', pythonCodeQuery)) query: PythonCodeQuery): Promise<CodeAnswer> {
    return this.code.python(call.database, query);
  }

  @Get('typescript')
  @Route({
    id: 'getTypeScriptCode', access: roleOn('database', 'viewer'), answer: codeAnswer,
    summary: 'Types, zod schemas and a client of the data API for the deployed schema, as files',
  })
  typeScript(@Call() call: CallContext): Promise<CodeAnswer> {
    return this.code.typeScript(call.database);
  }
}
