import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Field, Public, redirect, type FileResponse } from '../../kit/index.js';
import type { OpenedInvitationDto } from '../../platform/account/invitations/invitations.dto.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { failedPage, failureOf, type Failure } from '../calls/failures.js';
import { ProductCalls } from '../calls/product-calls.js';
import { invalidInvitationPage, invitationPage } from './invitation-page.js';

const INVITATIONS = '/invitations';

export class InvitationQuery {
  @Field.string({
    description: 'Token of the link.',
    example: 'n2Zt8c',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  token?: string;
}

export class InvitationBody extends InvitationQuery {
  @Field.string({
    description: 'Full name.',
    example: 'Grace Hopper',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  name?: string;

  @Field.string({
    description: 'The new password.',
    example: 'correct horse battery',
    required: false,
    minLength: 0,
    maxLength: 2_000,
  })
  password?: string;
}

@Controller(CONSOLE_PATHS.invitation)
export class InvitationController {
  constructor(private readonly calls: ProductCalls) {}

  @Get()
  @Public('Whoever is invited has no account yet; the token of the link shows who it is')
  show(@Query() { token = '' }: InvitationQuery, @Req() request: FastifyRequest): Promise<FileResponse> {
    return this.page(request, token);
  }

  @Post()
  @Public('Whoever is invited has no account yet; the operation that it calls limits tries')
  async accept(@Body() body: InvitationBody, @Req() request: FastifyRequest): Promise<FileResponse> {
    const { token = '', name = '', password = '' } = body;
    const response = await this.calls.post(request, `${INVITATIONS}/accept`, { token, name, password });
    if (response.error) return this.page(request, token, { name, ...failureOf(response, ['name', 'password']) });
    return redirect(`${CONSOLE_PATHS.signIn}?notice=invitation_accepted`);
  }

  private async page(request: FastifyRequest, token: string, failure?: Failure & { name: string }): Promise<FileResponse> {
    const response = await this.calls.post<OpenedInvitationDto>(request, `${INVITATIONS}/open`, { token });
    if (response.body) return invitationPage(token, response.body, failure);
    return response.error?.param === 'token' ? invalidInvitationPage() : failedPage(response);
  }
}
