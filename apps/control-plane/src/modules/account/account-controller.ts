import { Body, Controller, Delete, Patch, Post, Res } from '@nestjs/common';
import {
  changePasswordRequest,
  deleteAccountRequest,
  forgotPasswordRequest,
  resetPasswordRequest,
  spendTokenRequest,
  updateAccountRequest,
  type AccountResponse,
  type ChangePasswordRequest,
  type DeleteAccountRequest,
  type EndedResponse,
  type ForgotPasswordRequest,
  type MailResponse,
  type ResetPasswordRequest,
  type SpendTokenRequest,
  type UpdateAccountRequest,
} from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { ANYONE, ANYONE_KNOWN, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { accountResponse, endedResponse, mailResponse } from '../../response-schemas/accounts.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountService } from './account-service.js';

@Controller('api')
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly deletion: AccountDeletion,
    private readonly cookie: SessionCookie,
  ) {}

  @Patch('me')
  @Route({
    id: 'updateMe',
    summary: 'Change your name, or whether you get emails about failures',
    access: SIGNED_IN,
    body: updateAccountRequest,
    answer: accountResponse,
  })
  update(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', updateAccountRequest)) body: UpdateAccountRequest,
  ): Promise<AccountResponse> {
    return this.accounts.update(context, body);
  }

  @Delete('me')
  @Route({
    id: 'deleteMe',
    summary:
      'Delete your account. `confirm` is its email address. Rejected while you are the only owner ' +
      'of an organization with other members or projects',
    access: SIGNED_IN,
    body: deleteAccountRequest,
  })
  async delete(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', deleteAccountRequest)) body: DeleteAccountRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.deletion.delete(context, body);
    this.cookie.clear(reply);
  }

  @Post('me/password')
  @Route({
    id: 'changePassword',
    summary:
      'Change your password. Ends your other sessions and revokes your personal access tokens, ' +
      'except with `keep_tokens`',
    access: SIGNED_IN,
    body: changePasswordRequest,
    answer: endedResponse,
  })
  changePassword(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', changePasswordRequest)) body: ChangePasswordRequest,
  ): Promise<EndedResponse> {
    return this.accounts.changePassword(context, body);
  }

  @Post('me/verification')
  @Route({
    id: 'sendVerification',
    summary: 'Resend the email that confirms your address',
    access: SIGNED_IN,
    answer: mailResponse,
    status: 202,
  })
  sendVerification(@Call() context: RequestContext): Promise<MailResponse> {
    return this.accounts.sendVerification(context);
  }

  @Post('auth/verify')
  @Route({
    id: 'verifyEmail',
    summary: 'Confirm an email address with the token from the email',
    access: ANYONE_KNOWN,
    body: spendTokenRequest,
  })
  verify(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', spendTokenRequest)) body: SpendTokenRequest,
  ): Promise<void> {
    return this.accounts.verify(context, body.token);
  }

  @Post('auth/forgot')
  @Route({
    id: 'forgotPassword',
    summary:
      'Send an email with a link to set a new password. The response does not reveal whether the ' +
      'account exists',
    access: ANYONE,
    body: forgotPasswordRequest,
    answer: mailResponse,
    status: 202,
  })
  forget(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', forgotPasswordRequest)) body: ForgotPasswordRequest,
  ): Promise<MailResponse> {
    return this.accounts.forget(context, body.email);
  }

  @Post('auth/reset')
  @Route({
    id: 'resetPassword',
    summary:
      'Set a new password with the token from the email. Ends all sessions and revokes all ' +
      'personal access tokens',
    access: ANYONE,
    body: resetPasswordRequest,
    answer: endedResponse,
  })
  reset(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', resetPasswordRequest)) body: ResetPasswordRequest,
  ): Promise<EndedResponse> {
    return this.accounts.reset(context, body);
  }
}
