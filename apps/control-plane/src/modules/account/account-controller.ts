import { Body, Controller, Delete, Patch, Post, Res } from '@nestjs/common';
import {
  changePasswordRequest, deleteAccountRequest, forgotPasswordRequest, resetPasswordRequest, spendTokenRequest, updateAccountRequest,
  type AccountAnswer, type ChangePasswordRequest, type DeleteAccountRequest, type EndedAnswer, type ForgotPasswordRequest, type MailAnswer, type ResetPasswordRequest, type SpendTokenRequest, type UpdateAccountRequest,
} from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { ANYONE, ANYONE_KNOWN, SIGNED_IN } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { accountAnswer, endedAnswer, mailAnswer } from '../../answers/answer-schemas.js';
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
  @Route({ id: 'updateMe', summary: "Change the caller's name, or whether mail about failures is wanted", access: SIGNED_IN, body: updateAccountRequest, answer: accountAnswer })
  update(@Call() call: CallContext, @Body(new ZodPipe('body', updateAccountRequest)) body: UpdateAccountRequest): Promise<AccountAnswer> {
    return this.accounts.update(call, body);
  }

  @Delete('me')
  @Route({ id: 'deleteMe', summary: "Delete the caller's account; `confirm` is its e-mail address. Refused while it is the only owner of an organization with other members or projects", access: SIGNED_IN, body: deleteAccountRequest })
  async delete(@Call() call: CallContext, @Body(new ZodPipe('body', deleteAccountRequest)) body: DeleteAccountRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.deletion.delete(call, body);
    this.cookie.clear(reply);
  }

  @Post('me/password')
  @Route({ id: 'changePassword', summary: "Change the caller's password; every other session and every personal access token end, the tokens not with `keep_tokens`", access: SIGNED_IN, body: changePasswordRequest, answer: endedAnswer })
  changePassword(@Call() call: CallContext, @Body(new ZodPipe('body', changePasswordRequest)) body: ChangePasswordRequest): Promise<EndedAnswer> {
    return this.accounts.changePassword(call, body);
  }

  @Post('me/verification')
  @Route({ id: 'sendVerification', summary: "Send the mail that confirms the caller's address once more", access: SIGNED_IN, answer: mailAnswer, status: 202 })
  sendVerification(@Call() call: CallContext): Promise<MailAnswer> {
    return this.accounts.sendVerification(call);
  }

  @Post('auth/verify')
  @Route({ id: 'verifyEmail', summary: 'Confirm an address with the token of the mail', access: ANYONE_KNOWN, body: spendTokenRequest })
  verify(@Call() call: CallContext, @Body(new ZodPipe('body', spendTokenRequest)) body: SpendTokenRequest): Promise<void> {
    return this.accounts.verify(call, body.token);
  }

  @Post('auth/forgot')
  @Route({ id: 'forgotPassword', summary: 'Send a mail that sets a new password, where there is such an account; the answer is the same where there is none', access: ANYONE, body: forgotPasswordRequest, answer: mailAnswer, status: 202 })
  forget(@Call() call: CallContext, @Body(new ZodPipe('body', forgotPasswordRequest)) body: ForgotPasswordRequest): Promise<MailAnswer> {
    return this.accounts.forget(call, body.email);
  }

  @Post('auth/reset')
  @Route({ id: 'resetPassword', summary: 'Set a new password with the token of the mail; every session and every personal access token end', access: ANYONE, body: resetPasswordRequest, answer: endedAnswer })
  reset(@Call() call: CallContext, @Body(new ZodPipe('body', resetPasswordRequest)) body: ResetPasswordRequest): Promise<EndedAnswer> {
    return this.accounts.reset(call, body);
  }
}
