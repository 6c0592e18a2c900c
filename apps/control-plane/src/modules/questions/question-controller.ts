import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  acceptQuestionRequest,
  createSavedQueryRequest,
  judgeQuestionRequest,
  updateSavedQueryRequest,
  type AcceptedQuestionResponse,
  type AcceptQuestionRequest,
  type CreateSavedQueryRequest,
  type JudgeQuestionRequest,
  type ListResponse,
  type ModelUseResponse,
  type QuestionResponse,
  type SavedQueryResponse,
  type UpdateSavedQueryRequest,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  acceptedQuestionResponse,
  modelUseResponse,
  questionResponse,
  savedQueryResponse,
} from '../../response-schemas/questions.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe, pageQuery } from '../../http/zod-pipe.js';
import { QuestionService } from './question-service.js';
import { SavedQueryService } from './saved-query-service.js';

type Page = z.infer<typeof pageQuery>;

/** The question history of a database, feedback on answers, and saved queries. */
@Controller('api/databases/:id')
export class QuestionController {
  constructor(
    private readonly questions: QuestionService,
    private readonly saved: SavedQueryService,
  ) {}

  @Get('questions')
  @Route({
    id: 'listQuestions',
    summary: 'List the questions of the last 30 days and their SQL, newest first',
    access: roleOn('database', 'viewer'),
    query: pageQuery,
    answer: listOf(questionResponse),
  })
  list(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) page: Page,
  ): Promise<ListResponse<QuestionResponse>> {
    return this.questions.list(context.database, page);
  }

  @Post('questions/:question/feedback')
  @Route({
    id: 'judgeQuestion',
    costClass: 'read',
    access: roleOn('database', 'developer'),
    body: judgeQuestionRequest,
    answer: questionResponse,
    status: 200,
    summary:
      'Accept or reject the SQL of a question, or correct it with `sql`. The language model sees ' +
      'accepted SQL for similar questions',
  })
  judge(
    @Call() context: RequestContext,
    @Param('question') question: string,
    @Body(new ZodPipe('body', judgeQuestionRequest)) body: JudgeQuestionRequest,
  ): Promise<QuestionResponse> {
    return this.questions.judge(context, question, body);
  }

  @Get('accepted-questions')
  @Route({
    id: 'listAcceptedQuestions',
    summary: 'List accepted questions with their SQL, newest first',
    access: roleOn('database', 'viewer'),
    query: pageQuery,
    answer: listOf(acceptedQuestionResponse),
  })
  listAccepted(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) page: Page,
  ): Promise<ListResponse<AcceptedQuestionResponse>> {
    return this.questions.listAccepted(context.database, page);
  }

  @Post('accepted-questions')
  @Route({
    id: 'acceptQuestion',
    costClass: 'read',
    summary: 'Add a question with its correct SQL',
    access: roleOn('database', 'developer'),
    body: acceptQuestionRequest,
    answer: acceptedQuestionResponse,
    status: 201,
  })
  accept(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', acceptQuestionRequest)) body: AcceptQuestionRequest,
  ): Promise<AcceptedQuestionResponse> {
    return this.questions.accept(context, body);
  }

  @Delete('accepted-questions/:accepted')
  @Route({
    id: 'forgetAcceptedQuestion',
    summary: 'Remove an accepted question',
    access: roleOn('database', 'developer'),
  })
  forget(@Call() context: RequestContext, @Param('accepted') accepted: string): Promise<void> {
    return this.questions.forget(context, accepted);
  }

  @Get('model-usage')
  @Route({
    id: 'listModelUsage',
    summary: 'Get the use and the cost of the language model by day, newest first',
    access: roleOn('database', 'viewer'),
    answer: listOf(modelUseResponse),
  })
  async listUse(@Call() context: RequestContext): Promise<ListResponse<ModelUseResponse>> {
    return { items: await this.questions.listUse(context.database), next_cursor: null };
  }

  @Get('saved-queries')
  @Route({
    id: 'listSavedQueries',
    summary: 'List saved queries by name',
    access: roleOn('database', 'viewer'),
    answer: listOf(savedQueryResponse),
  })
  async listSaved(@Call() context: RequestContext): Promise<ListResponse<SavedQueryResponse>> {
    return { items: await this.saved.list(context.database.id), next_cursor: null };
  }

  @Post('saved-queries')
  @Route({
    id: 'createSavedQuery',
    summary: 'Save a question or a statement with a name',
    access: roleOn('database', 'developer'),
    body: createSavedQueryRequest,
    answer: savedQueryResponse,
    status: 201,
  })
  save(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createSavedQueryRequest)) body: CreateSavedQueryRequest,
  ): Promise<SavedQueryResponse> {
    return this.saved.create(context, body);
  }

  @Patch('saved-queries/:query')
  @Route({
    id: 'updateSavedQuery',
    summary: 'Change a saved query. Omitted members keep their values',
    access: roleOn('database', 'developer'),
    body: updateSavedQueryRequest,
    answer: savedQueryResponse,
  })
  update(
    @Call() context: RequestContext,
    @Param('query') query: string,
    @Body(new ZodPipe('body', updateSavedQueryRequest)) body: UpdateSavedQueryRequest,
  ): Promise<SavedQueryResponse> {
    return this.saved.update(context, query, body);
  }

  @Delete('saved-queries/:query')
  @Route({ id: 'deleteSavedQuery', summary: 'Delete a saved query', access: roleOn('database', 'developer') })
  delete(@Call() context: RequestContext, @Param('query') query: string): Promise<void> {
    return this.saved.delete(context, query);
  }
}
