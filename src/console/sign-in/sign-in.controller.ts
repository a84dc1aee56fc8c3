import { randomBytes } from 'node:crypto';
import { Body, Controller, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { Field, Public, redirect, type FileResponse } from '../../../kit/index.js';
import { callListener, type HttpResponse, type Routing } from '../../http/inner-call.js';
import { PeopleErrors } from '../../people/model/people.errors.js';
import { poolOf } from '../../persistence/database/pool.js';
import { isSecret } from '../../request/secret-comparison.js';
import { objectIn } from '../clients/json.js';
import { OAUTH_SETTINGS, type OAuthSettings } from '../server/oauth-server.js';
import { SIGN_IN_PATH, signInPage, type SignInView } from './sign-in-page.js';

const FORM_COOKIE = 'svc_sign_in';
const SESSION_ROUTE = '/api/v1/org/session';
/** Pages of the console: an address of another site, or one that a browser takes for one, leads nowhere. */
const RETURN_TO = /^\/console(?:\/[\w-]+)*$/;
const DEFAULT_RETURN = '/docs';
/** What the session's route reads of the browser's request. */
const FORWARDED = ['cookie', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

export class SignInQuery {
  @Field.string({ description: 'The page to show after the sign-in.', example: '/console', required: false, minLength: 0, maxLength: 500 })
  return_to?: string;
}

export class SignInBody extends SignInQuery {
  @Field.string({ description: 'Token from the page.', example: 'zG2aQe', required: false, minLength: 0, maxLength: 200 })
  form_token?: string;

  @Field.string({ description: 'E-mail address.', example: 'grace@example.com', required: false, minLength: 0, maxLength: 254 })
  email?: string;

  @Field.string({ description: 'Password.', example: 'correct horse battery', required: false, minLength: 0, maxLength: 1_000 })
  password?: string;

  @Field.string({
    description: 'Of the first step, if there is a second one.',
    example: '0198',
    required: false,
    minLength: 0,
    maxLength: 200,
  })
  second_factor_token?: string;

  @Field.string({ description: 'Code of the second factor.', example: '123456', required: false, minLength: 0, maxLength: 100 })
  code?: string;
}

interface SessionError {
  code?: string;
  param?: string;
  message?: string;
  second_factor_token?: string;
}

/** Signs in with the session's own route, so its limits and rules apply. */
@Controller(SIGN_IN_PATH)
export class SignInController {
  constructor(
    private readonly adapter: HttpAdapterHost,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(OAUTH_SETTINGS) private readonly settings: OAuthSettings,
  ) {}

  @Get()
  @Public('Signing in is how a member becomes known')
  show(@Query() { return_to }: SignInQuery, @Req() request: FastifyRequest): Promise<FileResponse> {
    return this.page(request, { returnTo: returnTo(return_to) });
  }

  @Post()
  @Public('Signing in is how a member becomes known; guessing is bounded per address and per e-mail address')
  async signIn(@Body() body: SignInBody, @Req() request: FastifyRequest): Promise<FileResponse> {
    const target = { returnTo: returnTo(body.return_to), email: body.email };
    if (!isSecret(body.form_token, formTokenOf(request)))
      return this.page(request, { ...target, status: 400, problem: 'The page was too old. Please sign in again.' });
    const response = await this.createSession(request, body);
    if (response.status === 200) return signedIn(target.returnTo, response);
    const error = (objectIn(String(response.body))?.error ?? {}) as SessionError;
    const asksCode = error.code === PeopleErrors.codeRequired.spec.code;
    // a wrong code leaves the browser at the second step; a token that has expired leads back to the first one
    const asksAgain = error.param === 'code' || response.status === 429;
    return this.page(request, {
      ...target,
      secondFactorToken: asksCode ? error.second_factor_token : asksAgain ? body.second_factor_token : undefined,
      status: asksCode ? 200 : response.status,
      retryAfter: response.headers['retry-after'] as string | undefined,
      problem: asksCode ? undefined : error.message,
    });
  }

  private createSession(
    request: FastifyRequest,
    { email = '', password = '', second_factor_token, code = '' }: SignInBody,
  ): Promise<HttpResponse> {
    const { routing } = this.adapter.httpAdapter.getInstance<{ routing: Routing }>();
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    for (const name of FORWARDED) if (request.headers[name] !== undefined) headers[name] = String(request.headers[name]);
    const [url, body] = second_factor_token
      ? [`${SESSION_ROUTE}/second-factor`, { second_factor_token, code: code.trim() }]
      : [SESSION_ROUTE, { email, password }];
    return callListener(routing, request.raw, { method: 'POST', url, headers, body: JSON.stringify(body) });
  }

  private async page(request: FastifyRequest, view: Omit<SignInView, 'formToken' | 'cookie' | 'isEmpty'>): Promise<FileResponse> {
    // the same one as before, so that the form works in several tabs
    const formToken = formTokenOf(request) ?? randomBytes(24).toString('base64url');
    const secure = this.settings.hasSecureCookies ? '; Secure' : '';
    const cookie = `${FORM_COOKIE}=${formToken}; Path=${SIGN_IN_PATH}; HttpOnly; SameSite=Strict${secure}`;
    const { rows } = await poolOf(this.dataSource).query(`SELECT 1 FROM organizations LIMIT 1`);
    return signInPage({ ...view, formToken, cookie, isEmpty: rows.length === 0 });
  }
}

function signedIn(location: string, { headers }: HttpResponse): FileResponse {
  const cookie = [headers['set-cookie'] ?? []].flat().map(String);
  return redirect(location, { 'Set-Cookie': cookie[0] });
}

function returnTo(given: string | undefined): string {
  return given !== undefined && RETURN_TO.test(given) ? given : DEFAULT_RETURN;
}

function formTokenOf({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)svc_sign_in=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}
