import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { CreateJournalEntryDto, JournalEntriesQuery, JournalEntryDto, ReverseJournalEntryDto } from './journal-entries.dto.js';
import { JournalEntries } from './journal-entries.service.js';
import { JournalEntryEvents } from './journal-entries.events.js';
import { ENTRY_NUMBER } from '../model/row-numbers.js';

const member = { permission: 'accounting.ledger.manage' };

@Controller('/api/v1/ext/accounting/journal-entries')
export class JournalEntriesController {
  constructor(private readonly entries: JournalEntries) {}

  @Get()
  @Endpoint({
    scope: 'accounting:ledger:read',
    member,
    operation: 'list_journal_entries',
    summary: 'List journal entries',
    returns: JournalEntryDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: JournalEntriesQuery): Promise<ListBody<JournalEntryDto>> {
    return listBody(await this.entries.page(ctx, query), (entry) => JournalEntryDto.from(entry));
  }

  @Get(':id')
  @Endpoint({
    scope: 'accounting:ledger:read',
    member,
    operation: 'get_journal_entry',
    summary: 'Get one journal entry',
    returns: JournalEntryDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(ENTRY_NUMBER) id: string): Promise<JournalEntryDto> {
    return JournalEntryDto.from(await this.entries.get(ctx, id));
  }

  @Post()
  @Endpoint({
    scope: 'accounting:ledger:write',
    member,
    operation: 'create_journal_entry',
    summary: 'Post a journal entry',
    description: 'It is final: reverse_journal_entry undoes it.',
    returns: JournalEntryDto,
    status: 201,
    errors: [CommonErrors.duplicate, AccountingErrors.entryUnbalanced, AccountingErrors.periodClosed],
    emits: [JournalEntryEvents.journalEntryPosted],
  })
  create(@Ctx() ctx: Ctx, @Body() body: CreateJournalEntryDto): Promise<JournalEntryDto> {
    return this.entries.create(ctx, body);
  }

  @Post(':id/reverse')
  @Endpoint({
    scope: 'accounting:ledger:write',
    member,
    operation: 'reverse_journal_entry',
    summary: 'Reverse a journal entry',
    description: 'Posts and returns the opposite entry. Only for entries posted by hand.',
    returns: JournalEntryDto,
    status: 201,
    ifMatch: true,
    errors: [AccountingErrors.alreadyReversed, AccountingErrors.notReversible, AccountingErrors.periodClosed],
    emits: [JournalEntryEvents.journalEntryPosted],
  })
  reverse(@Ctx() ctx: Ctx, @Id(ENTRY_NUMBER) id: string, @Body() body: ReverseJournalEntryDto): Promise<JournalEntryDto> {
    return this.entries.reverse(ctx, id, body.on);
  }
}
