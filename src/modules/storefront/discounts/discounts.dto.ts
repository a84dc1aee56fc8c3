import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  partialOf,
  plainDecimal,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import type { Discount } from '../model/discount.entity.js';
import { CURRENCY, OF_PROJECT } from '../model/field-options.js';
import { DISCOUNT_KINDS, type DiscountKind } from '../model/values.js';

export class CreateDiscountDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.string({
    description: 'What buyers enter, in upper or lower case; unique in the project.',
    example: 'SPRING10',
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    maxLength: 64,
    isIdentifier: true,
  })
  code: string;

  @Field.oneOf(DISCOUNT_KINDS, {
    description: 'What it takes off: a percentage, a fixed amount or the price of shipping.',
    example: 'percentage',
  })
  kind: DiscountKind;

  @Field.decimal({
    description: 'Percent, at most 100, or whole minor units of the currency; none for free shipping.',
    example: '10',
    digits: 15,
    places: 4,
    sign: 'positive',
    asWritten: true,
    nullable: true,
    required: false,
  })
  value?: string | null;

  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code; required for a fixed amount and with min_subtotal_amount. Only orders in it can use the discount code.',
    example: null,
    nullable: true,
    required: false,
  })
  currency?: string | null;

  @Field.amount({
    description: 'Smallest sum of the lines, in minor units of currency.',
    example: 5_000,
    nullable: true,
    required: false,
  })
  min_subtotal_amount?: number | null;

  @Field.dateTime({
    description: 'From when on it applies.',
    example: '2026-12-01T00:00:00Z',
    nullable: true,
    required: false,
  })
  starts_at?: string | null;

  @Field.dateTime({
    description: 'When it ends.',
    example: '2099-01-01T00:00:00Z',
    nullable: true,
    required: false,
  })
  ends_at?: string | null;

  @Field.integer({
    description: 'How many orders can use it.',
    example: 100,
    minimum: 1,
    nullable: true,
    required: false,
  })
  usage_limit?: number | null;

  @Field.integer({
    description: 'How many orders of one e-mail address can use it.',
    example: 1,
    minimum: 1,
    nullable: true,
    required: false,
  })
  per_email_limit?: number | null;

  @Field.boolean({
    description: 'Whether it applies.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

/** Kind and value are fixed, so that a code always means the same, and so is the currency once there is one. */
export class UpdateDiscountDto extends partialOf(CreateDiscountDto, { omit: ['project_id', 'kind', 'value'] }) {}

/** A discount code. */
export class DiscountDto extends bothOf(
  ResourceDto,
  shownOf(CreateDiscountDto, {
    project_id: 'Project of the discount.',
    code: 'What buyers enter.',
    kind: 'What it takes off.',
    value: 'Percent, or minor units of the currency; null for free shipping.',
    currency: 'ISO 4217 code of value and min_subtotal_amount; null: orders in any currency can use the code.',
    min_subtotal_amount: true,
    starts_at: true,
    ends_at: true,
    usage_limit: true,
    per_email_limit: true,
    active: true,
  }),
) {
  @Field.constant('discount')
  object: string;

  @Field.integer({
    description: 'Orders that use it.',
    example: 12,
    minimum: 0,
  })
  used_count: number;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, row: Discount): DiscountDto {
    return { ...responseOf(DiscountDto, row), value: row.value === null ? null : plainDecimal(row.value) };
  }
}

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class DiscountsQuery extends ProjectListQuery {
  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'Only the one with this code.',
    example: 'SPRING10',
  })
  code?: string;

  @Filter.boolean({
    description: 'Only active ones, or only others.',
    example: true,
  })
  active?: boolean;
}
