import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Public, type ListBody } from '../../../kit/index.js';
import {
  AcceptInvitationDto,
  CreateInvitationDto,
  InvitationDto,
  InvitationsQuery,
  OpenedInvitationDto,
  OpenInvitationDto,
  SentInvitationDto,
} from './invitations.dto.js';
import { InvitationsService, type SentInvitation } from './invitations.service.js';

const permission = 'org.members.manage';
const LINK_CALLS = { callsPerTenMinutes: 50 };

@Controller('api/v1/org/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Endpoint({
    operation: 'list_invitations',
    summary: 'List invitations',
    permission,
    returns: InvitationDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: InvitationsQuery): Promise<ListBody<InvitationDto>> {
    return listBody(await this.invitations.page(ctx, query), InvitationDto.from);
  }

  @Post()
  @Endpoint({
    operation: 'create_invitation',
    summary: 'Invite a person to become a member',
    permission,
    confirmation: true,
    returns: SentInvitationDto,
    status: 201,
    secrets: ['link'],
    openWorld: true,
    errors: [CommonErrors.duplicate],
    description: 'Mails a link with which they set their password; it is valid for seven days. Without a mail server the response has it.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateInvitationDto): Promise<SentInvitationDto> {
    return withLink(await this.invitations.create(ctx, body));
  }

  @Post(':id/resend')
  @Endpoint({
    operation: 'resend_invitation',
    summary: 'Send an invitation again',
    permission,
    confirmation: true,
    returns: SentInvitationDto,
    secrets: ['link'],
    openWorld: true,
    errors: [CommonErrors.resourceConflict],
    description: 'With a new link, valid for seven days from now; the earlier link no longer works.',
  })
  async resend(@Ctx() ctx: Ctx, @Id() id: string): Promise<SentInvitationDto> {
    return withLink(await this.invitations.resend(ctx, id));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'withdraw_invitation',
    summary: 'Withdraw an invitation',
    permission,
    returns: null,
  })
  async withdraw(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.invitations.withdraw(ctx, id);
  }

  @Post('open')
  @Public('The token of the link shows who was invited; tokens have 256 random bits', LINK_CALLS)
  @Endpoint({
    operation: 'open_invitation',
    summary: 'Read an invitation by its link',
    permission: null,
    returns: OpenedInvitationDto,
  })
  open(@Body() { token }: OpenInvitationDto): Promise<OpenedInvitationDto> {
    return this.invitations.open(token);
  }

  @Post('accept')
  @Public('The token of the link shows who was invited; tokens have 256 random bits', LINK_CALLS)
  @Endpoint({
    operation: 'accept_invitation',
    summary: 'Accept an invitation',
    permission: null,
    returns: null,
    errors: [CommonErrors.duplicate],
    description: 'Creates the member with the given password; sign in with it afterwards.',
  })
  async accept(@Body() body: AcceptInvitationDto): Promise<void> {
    await this.invitations.accept(body);
  }
}

function withLink({ invitation, link }: SentInvitation): SentInvitationDto {
  return { ...InvitationDto.from(invitation), link };
}
