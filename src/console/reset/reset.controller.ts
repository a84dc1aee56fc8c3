import { Body, Controller, Get, Inject, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Field, Public, redirect, type FileResponse } from '../../kit/index.js';
import type { OpenedPasswordResetDto } from '../../platform/account/passwords/passwords.dto.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { HAS_MAIL_SERVER } from '../../platform/mail/mail-outbox.js';
import { failedPage, failureOf, type Failure } from '../calls/failures.js';
import { ProductCalls } from '../calls/product-calls.js';
import { invalidResetPage, newPasswordPage, requestedPage, requestPage, withoutMailServerPage } from './reset-page.js';

const RESETS = '/password-resets';

export class ResetQuery {
  @Field.string({
    description: 'Token of the mailed link.',
    example: 'n2Zt8c',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  token?: string;

  @Field.string({
    description: 'Present after a link was asked for.',
    example: 'true',
    required: false,
    minLength: 0,
    maxLength: 10,
  })
  requested?: string;
}

/** Either an address to which a link is mailed, or the token of a link with the new password. */
export class ResetBody {
  @Field.string({
    description: 'E-mail address.',
    example: 'grace@example.com',
    required: false,
    minLength: 0,
    maxLength: 254,
  })
  email?: string;

  @Field.string({
    description: 'Token of the mailed link.',
    example: 'n2Zt8c',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  token?: string;

  @Field.string({
    description: 'The new password.',
    example: 'correct horse battery',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  password?: string;
}

@Controller(CONSOLE_PATHS.reset)
export class ResetController {
  constructor(
    private readonly calls: ProductCalls,
    @Inject(HAS_MAIL_SERVER) private readonly sendsMail: boolean,
  ) {}

  @Get()
  @Public('Whoever forgot their password has no session')
  show(@Query() { token, requested }: ResetQuery, @Req() request: FastifyRequest): Promise<FileResponse> | FileResponse {
    if (token !== undefined) return this.newPassword(request, token);
    if (!this.sendsMail) return withoutMailServerPage();
    return requested === undefined ? requestPage({}) : requestedPage();
  }

  @Post()
  @Public('Whoever forgot their password has no session; the operations that it calls limit both forms')
  submit(@Body() body: ResetBody, @Req() request: FastifyRequest): Promise<FileResponse> {
    return body.token === undefined ? this.request(request, body) : this.complete(request, body.token, body);
  }

  private async request(request: FastifyRequest, { email = '' }: ResetBody): Promise<FileResponse> {
    const response = await this.calls.post(request, RESETS, { email });
    if (response.error) return requestPage({ email, ...failureOf(response, ['email']) });
    return redirect(`${CONSOLE_PATHS.reset}?requested=true`);
  }

  private async complete(request: FastifyRequest, token: string, { password = '' }: ResetBody): Promise<FileResponse> {
    const response = await this.calls.post(request, `${RESETS}/complete`, { token, password });
    if (response.error) return this.newPassword(request, token, failureOf(response, ['password']));
    return redirect(`${CONSOLE_PATHS.signIn}?notice=password_set`);
  }

  private async newPassword(request: FastifyRequest, token: string, failure?: Failure): Promise<FileResponse> {
    const response = await this.calls.post<OpenedPasswordResetDto>(request, `${RESETS}/open`, { token });
    if (response.body) return newPasswordPage(token, response.body, failure);
    return response.error?.param === 'token' ? invalidResetPage() : failedPage(response);
  }
}
