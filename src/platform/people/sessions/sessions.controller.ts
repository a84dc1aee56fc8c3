import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, Store, type ListBody } from '../../../kit/index.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { EndedSessionsDto, MemberSessionDto, MemberSessionsQuery } from './sessions.dto.js';
import { SessionsService } from './sessions.service.js';
import { endSessionsOf } from '../model/end-sessions.js';

@Controller('api/v1/org/account/sessions')
export class SessionsController {
  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @Endpoint({
    operation: 'list_sessions',
    summary: 'List your sessions',
    permission: null,
    returns: MemberSessionDto,
    list: true,
  })
  async list(@Ctx() ctx: CallContext, @Query() query: MemberSessionsQuery): Promise<ListBody<MemberSessionDto>> {
    const currentId = ctx.session?.id ?? null;
    return listBody(await this.sessions.page(ctx, query), (session) => MemberSessionDto.from(session, currentId));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'end_session',
    summary: 'End one of your sessions',
    permission: null,
    returns: null,
    description: 'The next request with its cookie is rejected. Ending the current session signs you out.',
  })
  async end(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.sessions.end(ctx, id);
  }

  @Post('end-others')
  @Endpoint({
    operation: 'end_other_sessions',
    summary: 'End all your sessions except this one',
    permission: null,
    returns: EndedSessionsDto,
    destructive: true,
  })
  endOthers(@Ctx() ctx: CallContext): Promise<EndedSessionsDto> {
    return this.store.write(ctx, async (tx) => ({
      object: 'ended_sessions',
      count: await endSessionsOf(tx, ctx.memberId as string, ctx.session?.id ?? null),
    }));
  }
}
