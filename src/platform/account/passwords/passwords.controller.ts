import { Body, Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Ctx, Endpoint, Public } from '../../../kit/index.js';
import { EndedSessionsDto } from '../../people/sessions/sessions.dto.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import {
  ChangePasswordDto,
  CompletePasswordResetDto,
  OpenedPasswordResetDto,
  OpenPasswordResetDto,
  PasswordResetRequestDto,
  RequestPasswordResetDto,
} from './passwords.dto.js';
import { PasswordResetRequests } from './password-reset-requests.js';
import { PasswordsService } from './passwords.service.js';

const LINK_REASON = 'The token of the mailed link shows who asks; tokens have 256 random bits';
const LINK_CALLS = { callsPerTenMinutes: 50 };

@Controller('api/v1/org')
export class PasswordsController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly requests: PasswordResetRequests,
  ) {}

  @Post('account/password')
  @Endpoint({
    operation: 'change_password',
    summary: 'Change your password',
    permission: null,
    returns: EndedSessionsDto,
    destructive: true,
    ownTransactions: true,
    description: 'Ends your other sessions and notifies you by mail. Wrong current passwords count as failed sign-ins.',
  })
  async change(@Ctx() ctx: CallContext, @Req() request: FastifyRequest, @Body() body: ChangePasswordDto): Promise<EndedSessionsDto> {
    return { object: 'ended_sessions', count: await this.passwords.change(ctx, body, request.state.address) };
  }

  @Post('password-resets')
  @Public('Whoever forgot their password has no session; mails are limited per address and per account', { callsPerTenMinutes: 20 })
  @Endpoint({
    operation: 'request_password_reset',
    summary: 'Request a link to set a new password',
    permission: null,
    returns: PasswordResetRequestDto,
    status: 202,
    description:
      'Mails a link to each active account with the address. It works once, within 60 minutes; an account gets at most three in an ' +
      'hour. The response is the same for unknown addresses.',
  })
  async request(@Body() { email }: RequestPasswordResetDto): Promise<PasswordResetRequestDto> {
    await this.requests.add(email);
    return { object: 'password_reset_request', sends_mail: this.requests.sendsMail };
  }

  @Post('password-resets/open')
  @Public(LINK_REASON, LINK_CALLS)
  @Endpoint({
    operation: 'open_password_reset',
    summary: 'Get the account of a password reset link',
    permission: null,
    returns: OpenedPasswordResetDto,
  })
  open(@Body() { token }: OpenPasswordResetDto): Promise<OpenedPasswordResetDto> {
    return this.passwords.open(token);
  }

  @Post('password-resets/complete')
  @Public(LINK_REASON, LINK_CALLS)
  @Endpoint({
    operation: 'complete_password_reset',
    summary: 'Set a new password with a mailed link',
    permission: null,
    returns: null,
    destructive: true,
    description: 'Ends all sessions of the account. Sign in with the new password afterwards.',
  })
  async complete(@Body() body: CompletePasswordResetDto): Promise<void> {
    await this.passwords.complete(body);
  }
}
