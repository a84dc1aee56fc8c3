import { expect, test } from '@jest/globals';
import { Field, ResourceDto } from '../../../kit/index.js';
import { csvLines } from '../../../kit/internal.js';
import { cellsOf, columnsOf } from './csv-columns.js';

class TotalsDto {
  @Field.decimal({
    description: 'Net.',
    example: '1',
    sign: 'any',
  })
  net: string;
}
class VanDto extends ResourceDto {
  @Field.constant('van')
  object: string;
  @Field.object(() => TotalsDto, {
    description: 'Totals.',
    example: {},
    nullable: true,
  })
  totals: TotalsDto | null;
  @Field.object(() => TotalsDto, {
    description: 'With expand.',
    example: {},
    required: false,
  })
  owner?: TotalsDto;
  @Field.string({
    description: 'Tags.',
    example: ['a'],
    list: { maxItems: 3 },
  })
  tags: string[];
  @Field.customFields('van')
  custom_fields: Record<string, unknown>;
}

const KEYS = () => ['region', 'areas'];

test('has a column for each value, and optional objects only if there are any', () => {
  const item = { id: '1', version: 2, created_at: 'c', updated_at: 'u', totals: { net: '-3.5' }, tags: ['a', 'b'] };
  const full = { ...item, totals: null, owner: { net: '1' }, custom_fields: { areas: ['x'] } };
  const headings = (items: object[]) => columnsOf(VanDto, items as never, KEYS).map(({ heading }) => heading);
  const always = ['id', 'version', 'created_at', 'updated_at', 'totals.net'];
  expect(headings([item])).toEqual([...always, 'tags']);
  expect(headings([item, full])).toEqual([...always, 'owner.net', 'tags', 'custom_fields.region', 'custom_fields.areas']);
  const cells = cellsOf(full, columnsOf(VanDto, [full], KEYS)).map(String);
  expect(cells).toEqual(['1', '2', 'c', 'u', 'undefined', '1', '["a","b"]', 'undefined', '["x"]']);
  // a decimal is written as it is, although it begins with a sign
  expect(csvLines([cellsOf(item, columnsOf(VanDto, [item], KEYS))])).toContain(',-3.5,');
});
