import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CrmNames } from '../config/crm-names.service.js';
import { CreateContactDto, ContactDto, ContactsQuery, UpdateContactDto } from './contacts.dto.js';
import { ContactsService } from './contacts.service.js';
import { ContactEvents } from './contacts.events.js';

@Controller('/api/v1/ext/crm/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly names: CrmNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'crm:contact:read',
    member: { permission: 'crm.contact.view' },
    operation: 'list_contacts',
    summary: 'List contacts',
    returns: ContactDto,
    list: true,
    description:
      'Filters are combined with AND; several values of one filter, separated by commas, with OR. ' +
      'A key bound to a project sees only that project.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ContactsQuery): Promise<ListBody<ContactDto>> {
    const page = await this.contacts.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data, ContactDto.from));
  }

  @Get(':id')
  @Endpoint({
    scope: 'crm:contact:read',
    member: { permission: 'crm.contact.view' },
    operation: 'get_contact',
    summary: 'Get one contact',
    returns: ContactDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<ContactDto> {
    return this.names.one(ctx, await this.contacts.get(ctx, id), ContactDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'crm:contact:write',
    member: { permission: 'crm.contact.manage' },
    operation: 'create_contact',
    summary: 'Create a contact',
    description:
      'Requires full_name, or first_name and last_name. Existing contacts are not matched: ' +
      'list_contacts with email shows whether the person exists.',
    returns: ContactDto,
    status: 201,
    emits: [ContactEvents.contactCreated],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateContactDto): Promise<ContactDto> {
    return this.names.one(ctx, await this.contacts.create(ctx, body), ContactDto.from);
  }

  @Patch(':id')
  @Endpoint({
    scope: 'crm:contact:write',
    member: { permission: 'crm.contact.manage' },
    operation: 'update_contact',
    summary: 'Change a contact',
    description: 'Send only the fields to change; custom_fields are merged.',
    returns: ContactDto,
    emits: [ContactEvents.contactUpdated],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateContactDto): Promise<ContactDto> {
    return this.names.one(ctx, await this.contacts.update(ctx, id, body), ContactDto.from);
  }
}
