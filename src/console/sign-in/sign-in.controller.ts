import { randomBytes } from 'node:crypto';
import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { Field, pickOf, Public, redirect, Settings, type FileResponse } from '../../kit/index.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { PeopleErrors } from '../../platform/people/model/people.errors.js';
import { poolOf } from '../../platform/persistence/database/pool.js';
import { isSecret } from '../../platform/request/secret-comparison.js';
import { messageOf, retryAfter } from '../calls/failures.js';
import { ProductCalls, type ProductResponse } from '../calls/product-calls.js';
import { signInPage, type SignInView } from './sign-in-page.js';

const FORM_COOKIE = 'svc_sign_in';
const SESSION = '/session';
/** Paths of console pages with their parameters. Addresses of other sites, and those that browsers would treat as such, are rejected. */
const RETURN_TO = /^\/console(?:\/[\w-]+)*(?:\?[\w*.+%=&-]*)?$/;
const DEFAULT_RETURN = '/console';
/** Leads on to the overview, except newcomers. */
const ENTRANCE = '/console/welcome?after=sign_in';

export class SignInQuery {
  @Field.string({
    description: 'The page to show after the sign-in.',
    example: '/console',
    required: false,
    minLength: 0,
    maxLength: 4_000,
  })
  return_to?: string;

  @Field.string({
    description: 'What was just done.',
    example: 'password_set',
    required: false,
    minLength: 0,
    maxLength: 100,
  })
  notice?: string;
}

export class SignInBody extends pickOf(SignInQuery, ['return_to']) {
  @Field.string({
    description: 'Token from the page.',
    example: 'zG2aQe',
    required: false,
    minLength: 0,
    maxLength: 200,
  })
  form_token?: string;

  @Field.string({
    description: 'E-mail address.',
    example: 'grace@example.com',
    required: false,
    minLength: 0,
    maxLength: 254,
  })
  email?: string;

  @Field.string({
    description: 'Password.',
    example: 'correct horse battery',
    required: false,
    minLength: 0,
    maxLength: 1_000,
  })
  password?: string;

  @Field.string({
    description: 'Of the first step, if there is a second one.',
    example: '0198',
    required: false,
    minLength: 0,
    maxLength: 200,
  })
  second_factor_token?: string;

  @Field.string({
    description: 'Code of the second factor.',
    example: '123456',
    required: false,
    minLength: 0,
    maxLength: 100,
  })
  code?: string;
}

/** Signs in with the session's own route, so its limits and rules apply. */
@Controller(CONSOLE_PATHS.signIn)
export class SignInController {
  constructor(
    private readonly calls: ProductCalls,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('Signing in is how a member becomes known')
  show(@Query() { return_to, notice }: SignInQuery, @Req() request: FastifyRequest): Promise<FileResponse> {
    return this.page(request, { returnTo: returnTo(return_to), notice });
  }

  @Post()
  @Public('Signing in identifies the member; attempts are limited per IP address and per e-mail address')
  async signIn(@Body() body: SignInBody, @Req() request: FastifyRequest): Promise<FileResponse> {
    const target = { returnTo: returnTo(body.return_to), email: body.email };
    if (!isSecret(body.form_token, formTokenOf(request)))
      return this.page(request, { ...target, status: 400, problem: 'The page is out of date. Sign in again.' });
    const response = await this.createSession(request, body);
    if (!response.error) return signedIn(target.returnTo === DEFAULT_RETURN ? ENTRANCE : target.returnTo, response);
    const { error } = response;
    const asksCode = error.code === PeopleErrors.codeRequired.spec.code;
    // a wrong code stays at the second step; an expired token leads back to the first one
    const asksAgain = error.param === 'code' || response.status === 429;
    return this.page(request, {
      ...target,
      secondFactorToken: asksCode ? (error.second_factor_token as string) : asksAgain ? body.second_factor_token : undefined,
      status: asksCode ? 200 : response.status,
      headers: retryAfter(response),
      problem: asksCode ? undefined : messageOf(response),
    });
  }

  private createSession(
    request: FastifyRequest,
    { email = '', password = '', second_factor_token, code = '' }: SignInBody,
  ): Promise<ProductResponse<unknown>> {
    return second_factor_token
      ? this.calls.post(request, `${SESSION}/second-factor`, { second_factor_token, code: code.trim() })
      : this.calls.post(request, SESSION, { email, password });
  }

  private async page(request: FastifyRequest, view: Omit<SignInView, 'formToken' | 'cookie' | 'isEmpty'>): Promise<FileResponse> {
    // the same one as before, so that the form works in several tabs
    const formToken = formTokenOf(request) ?? randomBytes(24).toString('base64url');
    const secure = this.settings.secureCookies ? '; Secure' : '';
    const cookie = `${FORM_COOKIE}=${formToken}; Path=${CONSOLE_PATHS.signIn}; HttpOnly; SameSite=Strict${secure}`;
    const { rows } = await poolOf(this.dataSource).query(`SELECT 1 FROM organizations LIMIT 1`);
    return signInPage({ ...view, formToken, cookie, isEmpty: rows.length === 0 });
  }
}

function signedIn(location: string, { headers }: ProductResponse<unknown>): FileResponse {
  const cookie = [headers['set-cookie'] ?? []].flat().map(String);
  return redirect(location, { 'Set-Cookie': cookie[0] });
}

function returnTo(given: string | undefined): string {
  return given !== undefined && RETURN_TO.test(given) ? given : DEFAULT_RETURN;
}

function formTokenOf({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)svc_sign_in=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}
