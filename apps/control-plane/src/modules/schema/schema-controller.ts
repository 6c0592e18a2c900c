import { Body, Controller, Get, Put } from '@nestjs/common';
import { putSchemaRequest, type PutSchemaRequest, type WorkingSchemaAnswer } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { workingSchemaAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { SchemaService } from './schema-service.js';

@Controller('api/projects/:id/schema')
export class SchemaController {
  constructor(private readonly schemas: SchemaService) {}

  @Get()
  @Route({ id: 'getSchema', summary: 'The working schema as SQL and structure', access: roleOn('project', 'viewer'), answer: workingSchemaAnswer })
  get(@Call() call: CallContext): Promise<WorkingSchemaAnswer> {
    return this.schemas.find(call.project.id, call.project.name);
  }

  @Put()
  @Route({
    id: 'putSchema', access: roleOn('project', 'developer'), body: putSchemaRequest, answer: workingSchemaAnswer,
    summary: 'Replace the working schema by SQL text, or with mode `apply` change it',
  })
  put(@Call() call: CallContext, @Body(new ZodPipe('body', putSchemaRequest)) body: PutSchemaRequest): Promise<WorkingSchemaAnswer> {
    return this.schemas.put(call, body);
  }
}
