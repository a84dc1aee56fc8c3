import { ActorField, Field, Filter, Listing, ListQuery, ResourceDto, responseOf, type Actor } from '../../../../kit/index.js';
import type { AiCreditAccount } from './ai-credit-account.entity.js';
import type { AnalysisKind } from '../provider/provider.js';
import { PRICED_CHARACTERS, PRICES } from './analysis-prices.js';
import { CREDIT_ENTRY_KINDS, type AiCreditEntry, type CreditEntryKind } from './ai-credit-entry.entity.js';

/** What an analysis costs. */
export class AiPriceDto {
  @Field.oneOf(['summary', 'risks'], {
    description: 'The kind of analysis.',
    example: 'risks',
  })
  kind: AnalysisKind;

  @Field.integer({
    description: 'Credits for each started part of the text.',
    example: 2,
    minimum: 1,
  })
  credits: number;

  @Field.integer({
    description: 'Characters of a part.',
    example: PRICED_CHARACTERS,
    minimum: 1,
  })
  characters: number;
}

/** An organization's credits for analyses. */
export class AiCreditAccountDto {
  @Field.constant('ai_credit_account')
  object: string;

  @Field.integer({
    description: 'Credits in the account.',
    example: 996,
    minimum: 0,
  })
  balance: number;

  @Field.integer({
    description: 'Credits reserved for running analyses.',
    example: 0,
    minimum: 0,
  })
  reserved: number;

  @Field.integer({
    description: 'Balance less reserved credits.',
    example: 996,
    minimum: 0,
  })
  available: number;

  @Field.object(() => AiPriceDto, {
    description: 'What live analyses cost. Cached results and test analyses are free.',
    example: undefined,
    list: { maxItems: 10 },
  })
  prices: AiPriceDto[];

  static from({ balance, reserved }: Pick<AiCreditAccount, 'balance' | 'reserved'>): AiCreditAccountDto {
    const prices = Object.entries(PRICES) as [AnalysisKind, number][];
    return {
      object: 'ai_credit_account',
      balance,
      reserved,
      available: balance - reserved,
      prices: prices.map(([kind, credits]) => ({ kind, credits, characters: PRICED_CHARACTERS })),
    };
  }
}

/** The request body to grant credits. */
export class GrantAiCreditsDto {
  @Field.integer({
    description: 'Credits to add.',
    example: 500,
    minimum: 1,
    maximum: 1_000_000,
  })
  amount: number;

  @Field.string({
    description: 'Reason, recorded in the ledger.',
    example: 'Order 4711',
    required: false,
    nullable: true,
  })
  note?: string | null;
}

/** An entry of the ledger. */
export class AiCreditEntryDto extends ResourceDto {
  @Field.constant('ai_credit_entry')
  object: string;

  @Field.oneOf(CREDIT_ENTRY_KINDS, {
    description: 'grant adds credits; reserve holds them for an analysis; capture charges held credits; release frees them.',
    example: 'capture',
  })
  kind: CreditEntryKind;

  @Field.integer({
    description: 'Credits.',
    example: 2,
    minimum: 1,
  })
  amount: number;

  @Field.uuid({
    description: 'The analysis run it belongs to; null for a grant.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e50',
    nullable: true,
  })
  run_id: string | null;

  @Field.uuid({
    description: 'The analyzed document; null for a grant, and for a text that the call sent itself.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e51',
    nullable: true,
  })
  document_id: string | null;

  @Field.integer({
    description: 'Balance after the entry.',
    example: 996,
    minimum: 0,
  })
  balance: number;

  @Field.integer({
    description: 'Reserved credits after the entry.',
    example: 0,
    minimum: 0,
  })
  reserved: number;

  @ActorField('Who caused it.')
  actor: Actor;

  @Field.string({
    description: 'Why.',
    example: 'Order 4711',
    nullable: true,
    maxLength: 1_000,
  })
  note: string | null;

  static from(entry: AiCreditEntry): AiCreditEntryDto {
    return responseOf(AiCreditEntryDto, entry);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class AiCreditEntriesQuery extends ListQuery {
  @Filter.oneOf(CREDIT_ENTRY_KINDS, {
    description: 'Only entries of these kinds.',
    example: ['grant'],
  })
  kind?: CreditEntryKind[];
}
