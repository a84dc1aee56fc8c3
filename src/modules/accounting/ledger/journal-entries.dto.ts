import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  plainDecimal,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
  sumOf,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EXCHANGE_RATE } from '../model/field-options.js';
import { ENTRY_SOURCES, type EntrySource, type JournalEntry, type JournalLine } from '../model/journal-entry.entity.js';

/** A line of a new entry. */
export class JournalLineInputDto {
  @Field.uuid({
    description: 'Account, from list_accounts.',
    example: EXAMPLE.account,
  })
  account_id: string;

  @Field.amount({
    description: 'Debit in minor units; a line has either a debit or a credit.',
    example: 12500,
    required: false,
  })
  debit_amount?: number;

  @Field.amount({
    description: 'Credit in minor units.',
    example: 0,
    required: false,
  })
  credit_amount?: number;

  @Field.uuid({
    description: 'Customer; required for accounts with the role receivable or customer_credit, not allowed for others.',
    example: EXAMPLE.customer,
    required: false,
  })
  customer_id?: string;

  @Field.string({
    description: 'Note on the line.',
    example: 'Rent of March',
    required: false,
    maxLength: 500,
  })
  memo?: string;
}

/** The body that posts an entry. */
export class CreateJournalEntryDto {
  @Field.uuid({
    description: "Project; the key's or the default project if omitted.",
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.date({
    summary: true,
    description: 'Date; its month must be open.',
    example: '2026-11-21',
  })
  on: string;

  @Field.string({
    summary: true,
    description: 'What it is for.',
    example: 'Rent of March',
    maxLength: 500,
  })
  memo: string;

  @Field.string({
    summary: true,
    description: 'ISO 4217; the base currency if omitted.',
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

  @Field.decimal({
    description: 'Base currency per unit of a foreign currency.',
    example: '0.92',
    required: false,
    ...EXCHANGE_RATE,
  })
  exchange_rate?: string;

  @Field.object(() => JournalLineInputDto, {
    description: 'Debits and credits must be equal.',
    example: [
      { account_id: EXAMPLE.account, debit_amount: 12500 },
      { account_id: EXAMPLE.tax, credit_amount: 12500 },
    ],
    list: { minItems: 2, maxItems: 500, repeats: true },
  })
  lines: JournalLineInputDto[];

  @Field.string({
    description: 'Your id; a repeat is rejected with 409 duplicate.',
    example: 'erp-4711',
    required: false,
    isIdentifier: true,
  })
  external_id?: string;
}

/** The body that reverses an entry. */
export class ReverseJournalEntryDto {
  @Field.date({
    description: "Date of the reversal, today if omitted; not before the entry's, in an open month.",
    example: '2026-11-21',
    required: false,
  })
  on?: string;
}

/** A line of an entry. */
export class JournalLineDto extends shownOf(JournalLineInputDto, {
  account_id: 'Account.',
  debit_amount: 'Debit in minor units of the currency; 0 if the line is a credit.',
  credit_amount: 'Credit in minor units of the currency; 0 if the line is a debit.',
}) {
  @Field.amount({
    description: 'Debit in the base currency.',
    example: 12500,
  })
  base_debit_amount: number;

  @Field.amount({
    description: 'Credit in the base currency.',
    example: 0,
  })
  base_credit_amount: number;

  @Field.uuid({
    description: 'Customer whose receivable or credit a manual entry changes.',
    example: EXAMPLE.customer,
    nullable: true,
  })
  customer_id: string | null;

  @Field.string({
    description: 'Note.',
    example: 'Rent of March',
    nullable: true,
    maxLength: 500,
  })
  memo: string | null;
}

/** What an entry was posted for. */
export class EntrySourceDto {
  @Field.oneOf(ENTRY_SOURCES, {
    summary: true,
    description: '`credit` applied a credit; `exchange_difference` is the difference between two rates; `refund` paid a credit note out.',
    example: 'invoice',
  })
  type: EntrySource;

  @Field.uuid({
    description: 'The invoice, credit note or payment; null for manual entries.',
    example: EXAMPLE.invoice,
    nullable: true,
  })
  id: string | null;
}

/** A posted journal entry. It never changes; a reversal undoes it. */
export class JournalEntryDto extends bothOf(
  ResourceDto,
  shownOf(CreateJournalEntryDto, {
    project_id: 'Project.',
    on: 'Date.',
    memo: true,
    currency: 'ISO 4217.',
    exchange_rate: { description: 'Base currency per unit of the currency.', example: '1' },
  }),
) {
  @Field.constant('journal_entry')
  object: string;

  @Field.string({
    summary: true,
    description: 'Number, unique in the project and mode; numbers may be left out.',
    example: 'JE-000042',
  })
  number: string;

  @Field.amount({
    summary: true,
    description: 'Sum of its debits, which is that of its credits, in minor units of the currency.',
    example: 12500,
  })
  amount: number;

  @Field.object(() => JournalLineDto, {
    description: 'Its lines.',
    example: [],
    list: { maxItems: 500, repeats: true },
  })
  lines: JournalLineDto[];

  @Field.object(() => EntrySourceDto, {
    summary: true,
    description: 'What it was posted for.',
    example: { type: 'manual', id: null },
  })
  source: EntrySourceDto;

  @Field.uuid({
    description: 'The entry that it reverses.',
    example: EXAMPLE.entry,
    nullable: true,
  })
  reverses_id: string | null;

  @Field.uuid({
    description: 'The entry that reverses it.',
    example: EXAMPLE.entry,
    nullable: true,
  })
  reversed_by_id: string | null;

  @Field.string({
    description: 'Your id.',
    example: 'erp-4711',
    nullable: true,
    isIdentifier: true,
  })
  external_id: string | null;

  @ActorField('Who posted it.')
  created_by: ActorDto;

  /** `lines` are given for an entry that was posted just now; otherwise they were read with it. */
  static from(this: void, entry: JournalEntry, lines?: readonly JournalLine[]): JournalEntryDto {
    const shown = [...(lines ?? entry.lines ?? [])];
    return {
      ...responseOf(JournalEntryDto, entry),
      amount: sumOf(shown.map(({ debit_amount }) => debit_amount)),
      exchange_rate: plainDecimal(entry.exchange_rate),
      lines: shown,
      source: { type: entry.source_type, id: entry.source_id },
      reversed_by_id: entry.reversed_by_id ?? null,
    };
  }
}

/** The filters of list_journal_entries. */
@Listing({
  sort: ['created_at', 'on'],
  defaultSort: '-created_at',
})
export class JournalEntriesQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Entries with a line of one of these accounts.',
    example: [EXAMPLE.account],
    column: 'account_ids',
    overlaps: true,
  })
  account_id?: string[];

  @Filter.from('date', {
    description: 'Dated on or after.',
    example: '2026-01-01',
    column: 'on',
  })
  on_after?: string;

  @Filter.before('date', {
    description: 'Dated before this day.',
    example: '2027-01-01',
    column: 'on',
  })
  on_before?: string;

  @Filter.oneOf(ENTRY_SOURCES, {
    description: 'What they were posted for.',
    example: ['invoice'],
  })
  source_type?: EntrySource[];

  @Filter.uuid({
    description: 'Invoices, credit notes or payments.',
    example: [EXAMPLE.invoice],
  })
  source_id?: string[];

  @Filter.string({
    description: 'With these external ids.',
    example: ['erp-4711'],
  })
  external_id?: string[];
}
