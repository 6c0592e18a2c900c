import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import {
  codeRequest,
  provenPasswordRequest,
  provenTwoFactorRequest,
  type CodeRequest,
  type ProvenPasswordRequest,
  type ProvenTwoFactorRequest,
  type RecoveryCodesResponse,
  type TotpSetupResponse,
  type TwoFactorResponse,
} from '@rowhouse/contracts';
import { SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  recoveryCodesResponse,
  totpSetupResponse,
  twoFactorResponse,
} from '../../response-schemas/accounts.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { TwoFactorService } from './two-factor-service.js';

@Controller('api/me/two-factor')
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Get()
  @Route({
    id: 'getTwoFactor',
    summary: 'Get the state of two-factor authentication of your account',
    access: SIGNED_IN,
    answer: twoFactorResponse,
  })
  describe(@Call() context: RequestContext): Promise<TwoFactorResponse> {
    return this.twoFactor.describe(context);
  }

  @Post()
  @Route({
    id: 'beginTwoFactor',
    summary: 'Create the secret for an authenticator app. It has no effect until a code confirms it',
    access: SIGNED_IN,
    body: provenPasswordRequest,
    answer: totpSetupResponse,
  })
  begin(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', provenPasswordRequest)) body: ProvenPasswordRequest,
  ): Promise<TotpSetupResponse> {
    return this.twoFactor.begin(context, body);
  }

  @Post('confirm')
  @Route({
    id: 'confirmTwoFactor',
    summary: 'Turn on two-factor authentication with a code of the app. Returns recovery codes once',
    access: SIGNED_IN,
    body: codeRequest,
    answer: recoveryCodesResponse,
  })
  confirm(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', codeRequest)) body: CodeRequest,
  ): Promise<RecoveryCodesResponse> {
    return this.twoFactor.confirm(context, body.code);
  }

  @Delete()
  @Route({
    id: 'turnOffTwoFactor',
    summary: 'Turn off two-factor authentication with your password and a code',
    access: SIGNED_IN,
    body: provenTwoFactorRequest,
  })
  turnOff(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', provenTwoFactorRequest)) body: ProvenTwoFactorRequest,
  ): Promise<void> {
    return this.twoFactor.turnOff(context, body);
  }

  @Post('recovery-codes')
  @Route({
    id: 'renewRecoveryCodes',
    summary: 'Replace your recovery codes with your password and a code. Returns the new ones once',
    access: SIGNED_IN,
    body: provenTwoFactorRequest,
    answer: recoveryCodesResponse,
  })
  renewCodes(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', provenTwoFactorRequest)) body: ProvenTwoFactorRequest,
  ): Promise<RecoveryCodesResponse> {
    return this.twoFactor.renewCodes(context, body);
  }
}
