import { Injectable } from '@nestjs/common';
import { dayIn, notOfProject, Projects, requireNew, Store, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { LedgerAccount } from '../model/account.entity.js';
import { AccountingConfig, requireAccount, requireRate, type ProjectBooks } from '../config/accounting-config.service.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import { requireBookDay } from '../model/days.js';
import { CUSTOMER_ROLES } from '../model/account.entity.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { JournalEntry } from '../model/journal-entry.entity.js';
import { JournalEntryDto, type CreateJournalEntryDto, type JournalEntriesQuery, type JournalLineInputDto } from './journal-entries.dto.js';
import { Ledger } from './ledger.service.js';
import { converted, type PostingLine } from './posting.js';

/** Entries that people post, and reading all entries. */
@Injectable()
export class JournalEntries {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly ledger: Ledger,
  ) {}

  page(ctx: Ctx, query: JournalEntriesQuery): Promise<Page<JournalEntry>> {
    return this.store.page(ctx, JournalEntry, query);
  }

  get(ctx: Ctx, id: string): Promise<JournalEntry> {
    return this.store.get(ctx, JournalEntry, id);
  }

  async create(ctx: Ctx, { project_id, ...body }: CreateJournalEntryDto): Promise<JournalEntryDto> {
    const project = await this.projects.resolve(ctx, project_id, [LedgerAccount, body.lines[0]?.account_id]);
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, project.id, body));
  }

  async createIn(ctx: Ctx, tx: Tx, projectId: string, body: Omit<CreateJournalEntryDto, 'project_id'>): Promise<JournalEntryDto> {
    const { on, memo, external_id = null } = body;
    requireBookDay('on', on);
    const decided = await this.config.decide(tx, projectId, (books) => {
      const currency = body.currency ?? books.settings.currency;
      const exchange_rate = requireRate(books, currency, body.exchange_rate);
      return { currency, exchange_rate, lines: converted(postingLines(books, body.lines), exchange_rate) };
    });
    await requireNew(tx, JournalEntry, projectId, 'external_id', external_id);
    await requireCustomers(tx, projectId, body.lines);
    await this.ledger.requireOpen(tx, projectId, on);
    const values = { project_id: projectId, on, memo, ...decided, source_type: 'manual' as const, source_id: null, external_id };
    return JournalEntryDto.from(await this.ledger.post(ctx, tx, values), decided.lines);
  }

  /** `on` is today by default. It must be in an open month, but the month of the original may be closed. */
  async reverse(ctx: Ctx, id: string, on: string | undefined): Promise<JournalEntryDto> {
    return this.store.write(ctx, async (tx) => {
      const original = await tx.target(JournalEntry, id);
      if (original.source_type !== 'manual' || original.reverses_id !== null) throw AccountingErrors.notReversible();
      const day = on ?? dayIn(await this.timezoneOf(ctx, original.project_id));
      requireBookDay('on', day);
      if (day < original.on) throw invalid('on', `must not be before the date of the entry, ${original.on}`);
      await this.ledger.requireOpen(tx, original.project_id, day);
      const { entry, lines } = await this.ledger.reverse(ctx, tx, id, day, `Reversal of ${original.number}`);
      return JournalEntryDto.from(entry, lines);
    });
  }

  private async timezoneOf(ctx: Ctx, projectId: string): Promise<string> {
    return (await this.projects.reach(ctx, projectId))?.timezone ?? 'UTC';
  }
}

/** What customers owe and are owed is reported by customer, so a line that changes it must name one. */
function postingLines(books: ProjectBooks, lines: readonly JournalLineInputDto[]): PostingLine[] {
  return lines.map(({ account_id, debit_amount = 0, credit_amount = 0, customer_id, memo }, index) => {
    if (debit_amount > 0 === credit_amount > 0)
      throw invalid(`lines.${index}.debit_amount`, 'or credit_amount must be positive, and only one of them');
    const { code, role } = requireAccount(books, `lines.${index}.account_id`, account_id);
    const needsCustomer = role !== null && CUSTOMER_ROLES.includes(role);
    if (needsCustomer !== (customer_id !== undefined))
      throw invalid(
        `lines.${index}.customer_id`,
        needsCustomer
          ? `is required, because the account ${code} has the role ${role}`
          : `must be left out, because the account ${code} has none of the roles ${CUSTOMER_ROLES.join(' and ')}`,
      );
    return { account_id, debit_amount, credit_amount, customer_id, memo };
  });
}

async function requireCustomers(tx: Tx, project_id: string, lines: readonly JournalLineInputDto[]): Promise<void> {
  const named = [...new Set(lines.flatMap(({ customer_id }) => customer_id ?? []))];
  if (named.length === 0) return;
  const known = new Set((await tx.list(AccountingCustomer, { project_id, id: named })).map(({ id }) => id));
  for (const [index, { customer_id }] of lines.entries())
    if (customer_id !== undefined && !known.has(customer_id))
      throw notOfProject(`lines.${index}.customer_id`, 'must be a customer of the project, in the mode of the key');
}
