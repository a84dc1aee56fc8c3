import { Field, Filter, Listing, plainDecimal, responseOf } from '../../../kit/index.js';
import { DIFFERENCE_SUBJECTS, type DifferenceSubject, type StockDifference } from '../model/difference.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { OfItemDto, OfItemsQuery } from '../resources/of-item.dto.js';

/** A stored figure that differs from what the movements and reservations add up to. */
export class StockDifferenceDto extends OfItemDto {
  @Field.constant('stock_difference')
  object: string;

  @Field.oneOf(DIFFERENCE_SUBJECTS, {
    description: 'Which figure differs.',
    example: 'level_on_hand',
  })
  subject: DifferenceSubject;

  @Field.uuid({
    description: 'The stock level, the lot, its part at a location, or the item with the figure.',
    example: EXAMPLE.item,
  })
  subject_id: string;

  @Field.decimal({
    description: 'What is stored: a quantity, or an amount in the minor unit.',
    example: '41',
    sign: 'any',
    digits: 18,
  })
  stored: string;

  @Field.decimal({
    description: 'What it should be.',
    example: '40',
    sign: 'any',
    digits: 18,
  })
  computed: string;

  @Field.dateTime({
    description: 'When a later comparison no longer found it.',
    example: null,
    nullable: true,
  })
  resolved_at: string | null;

  static from(this: void, difference: StockDifference): StockDifferenceDto {
    const { stored, computed } = difference;
    return { ...responseOf(StockDifferenceDto, difference), stored: plainDecimal(stored), computed: plainDecimal(computed) };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class StockDifferencesQuery extends OfItemsQuery {
  @Filter.custom({
    kind: 'boolean',
    description: 'Only those that are gone, or only others.',
    example: false,
  })
  resolved?: boolean;
}
