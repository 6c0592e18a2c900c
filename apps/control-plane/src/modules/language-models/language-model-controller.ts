import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { putLanguageModelRequest, type LanguageModelAnswer, type PutLanguageModelRequest } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { languageModelAnswer } from '../../answers/question-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LanguageModelService } from './language-model-service.js';

@Controller('api/projects/:id/language-model')
export class LanguageModelController {
  constructor(private readonly models: LanguageModelService) {}

  @Get()
  @Route({ id: 'getLanguageModel', summary: "The language model that the project's questions go to, without its key", access: roleOn('project', 'viewer'), answer: languageModelAnswer })
  find(@Call() call: CallContext): Promise<LanguageModelAnswer> {
    return this.models.find(call.project.id);
  }

  @Put()
  @Route({
    id: 'putLanguageModel', access: roleOn('project', 'admin'), body: putLanguageModelRequest, answer: languageModelAnswer,
    summary: 'Set up a language model of its own: an address that speaks the OpenAI chat protocol, a model, a key. The key is sealed and never told again',
  })
  put(@Call() call: CallContext, @Body(new ZodPipe('body', putLanguageModelRequest)) body: PutLanguageModelRequest): Promise<LanguageModelAnswer> {
    return this.models.put(call, body);
  }

  @Delete()
  @Route({ id: 'deleteLanguageModel', summary: "Forget it and its key; questions go to the installation's model then, where there is one", access: roleOn('project', 'admin') })
  remove(@Call() call: CallContext): Promise<void> {
    return this.models.remove(call);
  }
}
