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
    summary: "Change the caller's name, or whether mail about failures is wanted",
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
      "Delete the caller's account; `confirm` is its e-mail address. Refused while it is the only owner of an organization with other members or projects",
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
      "Change the caller's password; every other session and every personal access token end, the tokens not with `keep_tokens`",
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
    summary: "Send the mail that confirms the caller's address once more",
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
    summary: 'Confirm an address with the token of the mail',
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
      'Send a mail that sets a new password, where there is such an account; the answer is the same where there is none',
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
      'Set a new password with the token of the mail; every session and every personal access token end',
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
