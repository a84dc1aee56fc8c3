import { Body, Controller, Delete, Get, Header, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors, Ctx, Endpoint, Public } from '../../../kit/index.js';
import { PEOPLE_SETTINGS, type PeopleSettings } from '../model/people-settings.js';
import { PeopleErrors } from '../model/people.errors.js';
import { sessionCookie, sessionTokenOf } from './session-cookie.js';
import { hasSecureCookies } from '../../config/config.js';
import { confirmedUntil } from './confirmation.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { FailureNotes } from '../failures/failure-notes.js';
import { SecondFactors } from '../second-factor/second-factors.service.js';
import { SecondStep } from './second-step.js';
import { PasswordCheck } from './password-check.js';
import { SessionReader } from './session-reader.js';
import { ConfirmSessionDto, SecondFactorSignInDto, SessionConfirmationDto, SessionDto, SignInDto } from './session.dto.js';
import { SessionsService, type Arrival } from './sessions.service.js';
import { EmailPasswordGuard, type Authenticated } from './sign-in.js';

/** The length of compressed content would reveal the CSRF token (BREACH). */
const UNCOMPRESSED = 'no-store, no-transform';

@Controller('api/v1/org/session')
export class SessionController {
  private readonly secure: boolean;

  constructor(
    private readonly sessions: SessionsService,
    private readonly reader: SessionReader,
    private readonly passwords: PasswordCheck,
    private readonly factors: SecondFactors,
    private readonly steps: SecondStep,
    private readonly notes: FailureNotes,
    @Inject(PEOPLE_SETTINGS) settings: PeopleSettings,
  ) {
    this.secure = hasSecureCookies(settings);
  }

  @Post()
  @Public('Signing in identifies the member; attempts are limited per IP address and per e-mail address')
  @UseGuards(EmailPasswordGuard)
  @Header('Cache-Control', UNCOMPRESSED)
  @Endpoint({
    operation: 'create_session',
    summary: 'Sign in',
    permission: null,
    returns: SessionDto,
    errors: [PeopleErrors.invalidCredentials, PeopleErrors.codeRequired],
    description:
      'Sets the cookie svc_session. Send the csrf_token of the response as the header X-CSRF-Token with every write. With a second ' +
      'factor, send its code too, or send it with the second_factor_token of the error second_factor_code_required.',
  })
  async signIn(
    @Body() { code }: SignInDto,
    @Req() request: FastifyRequest & { user: Authenticated },
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const { user } = request;
    if (user.has_second_factor) {
      if (code === undefined) throw PeopleErrors.codeRequired({ extra: { second_factor_token: this.steps.tokenFor(user) } });
      await this.verify(user, code, request);
    }
    return this.start(user, request, reply);
  }

  @Post('second-factor')
  @Public('The token of the first step shows that the password was right; codes are limited per account', { callsPerTenMinutes: 100 })
  @Header('Cache-Control', UNCOMPRESSED)
  @Endpoint({
    operation: 'create_session_with_code',
    summary: 'Sign in: send the code of the second factor',
    permission: null,
    returns: SessionDto,
    description: 'Sets the cookie svc_session. Five wrong codes in 15 minutes are followed by rate_limited.',
  })
  async signInWithCode(
    @Body() { second_factor_token, code }: SecondFactorSignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const user = await this.steps.read(second_factor_token);
    await this.verify(user, code, request);
    return this.start(user, request, reply);
  }

  private verify(user: Authenticated, code: string, { state }: FastifyRequest): Promise<void> {
    return this.factors.verify(user.id, code, (failures) => this.notes.code(user, state.requestId, state, failures));
  }

  private async start(user: Authenticated, request: FastifyRequest, reply: FastifyReply): Promise<SessionDto> {
    const previous = sessionTokenOf(request.headers.cookie);
    if (previous) await this.sessions.close(previous, arrivalOf(request));
    const token = await this.sessions.open(user, arrivalOf(request));
    void reply.header('Set-Cookie', sessionCookie(token, this.secure));
    return this.describe(token);
  }

  @Get()
  @Header('Cache-Control', UNCOMPRESSED)
  @Endpoint({
    operation: 'get_session',
    summary: 'Get the current session',
    permission: null,
    returns: SessionDto,
  })
  get(@Req() request: FastifyRequest): Promise<SessionDto> {
    return this.describe(sessionTokenOf(request.headers.cookie));
  }

  @Post('confirm')
  @Endpoint({
    operation: 'confirm_session',
    summary: 'Confirm the password',
    permission: null,
    returns: SessionConfirmationDto,
    ownTransactions: true,
    description:
      'Operations that grant or revoke access (live keys, secrets, members, roles, erasing, the second factor, connecting an ' +
      'app) fail with confirmation_required if the last sign-in or confirmation was more than two hours ago. Wrong passwords count ' +
      'as failed sign-ins.',
  })
  async confirm(@Ctx() ctx: CallContext, @Req() request: FastifyRequest, @Body() body: ConfirmSessionDto): Promise<SessionConfirmationDto> {
    await this.passwords.require(ctx, body.password, request.state.address, 'password');
    await this.factors.requireIfEnabled(ctx, body.code, (failures) => this.notes.confirmation(ctx, 'code', failures));
    return {
      object: 'session_confirmation',
      confirmed_until: confirmedUntil(await this.sessions.confirm(ctx)).toISOString(),
    };
  }

  @Delete()
  @Endpoint({
    operation: 'delete_session',
    summary: 'Sign out',
    permission: null,
    returns: null,
  })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = sessionTokenOf(request.headers.cookie);
    if (token) await this.sessions.close(token, arrivalOf(request));
    void reply.header('Set-Cookie', sessionCookie(null, this.secure));
  }

  private async describe(token: string | undefined): Promise<SessionDto> {
    const signedIn = token ? await this.reader.read(token) : null;
    if (!signedIn) throw CommonErrors.notSignedIn();
    return SessionDto.from(signedIn);
  }
}

function arrivalOf({ state }: FastifyRequest): Arrival {
  return { requestId: state.requestId, origin: state };
}
