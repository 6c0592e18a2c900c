import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import {
  putLanguageModelRequest,
  type LanguageModelResponse,
  type PutLanguageModelRequest,
} from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { languageModelResponse } from '../../response-schemas/questions.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LanguageModelService } from './language-model-service.js';

@Controller('api/projects/:id/language-model')
export class LanguageModelController {
  constructor(private readonly models: LanguageModelService) {}

  @Get()
  @Route({
    id: 'getLanguageModel',
    summary: 'Get the language model of the project, without its key',
    access: roleOn('project', 'viewer'),
    answer: languageModelResponse,
  })
  find(@Call() context: RequestContext): Promise<LanguageModelResponse> {
    return this.models.find(context.project.id);
  }

  @Put()
  @Route({
    id: 'putLanguageModel',
    access: roleOn('project', 'admin'),
    body: putLanguageModelRequest,
    answer: languageModelResponse,
    summary:
      'Set the language model of the project: the URL of an OpenAI-compatible API, a model and a ' +
      'key. The key is stored encrypted and is never returned',
  })
  put(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', putLanguageModelRequest)) body: PutLanguageModelRequest,
  ): Promise<LanguageModelResponse> {
    return this.models.put(context, body);
  }

  @Delete()
  @Route({
    id: 'deleteLanguageModel',
    summary:
      'Remove the language model of the project and its key. Questions then use the model of the ' +
      'installation, if there is one',
    access: roleOn('project', 'admin'),
  })
  remove(@Call() context: RequestContext): Promise<void> {
    return this.models.remove(context);
  }
}
