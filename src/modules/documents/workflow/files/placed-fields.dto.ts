import { Field, partialOf, pickOf } from '../../../../kit/index.js';
import { PLACED_KINDS, type FormLook, type PlacedField } from '../../model/core/placed-fields.js';
import { FieldAnchorDto, PlaceDto } from './places.dto.js';

/** What a party can choose. */
export class PlacedOptionDto {
  @Field.string({
    description: 'What is stored.',
    example: 'monthly',
    maxLength: 100,
  })
  value: string;

  @Field.string({
    description: 'Shown text. Default: value.',
    example: 'Every month',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  label?: string | null;

  @Field.object(() => PlaceDto, {
    description: 'Where a choice is marked.',
    example: { page: 1, x: 0.1, y: 0.5, w: 0.02, h: 0.014 },
    required: false,
    nullable: true,
  })
  place?: PlaceDto | null;
}

/** Where a party signs or fills something in: at page, x, y, w and h; at anchor, with w and h; or at form_field. */
export class PlacedFieldDto extends partialOf(PlaceDto) {
  @Field.string({
    description: 'Unique key.',
    example: 'place',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'Key of a party.',
    example: 'customer',
    maxLength: 63,
  })
  party: string;

  @Field.oneOf(PLACED_KINDS, {
    description: 'What it takes; required without form_field.',
    example: 'text',
    required: false,
  })
  kind?: PlacedField['kind'];

  @Field.string({
    description: 'Text beside it.',
    example: 'Place',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  label?: string | null;

  @Field.string({
    description: 'Help for it.',
    example: 'As on your card',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  hint?: string | null;

  @Field.boolean({
    description: 'Must be filled in. Default: true, for a checkbox false.',
    example: true,
    required: false,
  })
  required?: boolean;

  @Field.boolean({
    description: 'The party cannot change it.',
    example: false,
    required: false,
    default: false,
  })
  read_only?: boolean;

  @Field.string({
    description: 'First value: 1.5, 2026-01-31 or true.',
    example: 'Berlin',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  default?: string | null;

  @Field.string({
    description: 'RE2 that a text matches.',
    example: '^[A-Z]{2}[0-9]{6}$',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  pattern?: string | null;

  @Field.string({
    description: 'Least number or day.',
    example: '0.5',
    maxLength: 40,
    required: false,
    nullable: true,
  })
  min?: string | null;

  @Field.string({
    description: 'Greatest number or day.',
    example: '100',
    maxLength: 40,
    required: false,
    nullable: true,
  })
  max?: string | null;

  @Field.integer({
    description: 'Longest text. Default: 200.',
    example: 80,
    minimum: 1,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  max_length?: number | null;

  @Field.integer({
    description: 'Decimals of a number.',
    example: 2,
    minimum: 0,
    maximum: 6,
    required: false,
    nullable: true,
  })
  decimals?: number | null;

  @Field.string({
    description: 'Formula over keys of this or earlier parties.',
    example: 'round(rent * 12, 2)',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  calculated?: string | null;

  @Field.string({
    description: 'Condition on such keys: pays = "monthly" and not pets.',
    example: 'pays = "monthly" and not pets',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  shown_when?: string | null;

  @Field.object(() => PlacedOptionDto, {
    description: 'What a choice or list offers.',
    example: [{ value: 'monthly', label: 'Every month' }, { value: 'yearly' }],
    list: { maxItems: 100, repeats: true },
    required: false,
  })
  options?: PlacedOptionDto[];

  @Field.object(() => FieldAnchorDto, {
    description: 'Text it stands at.',
    example: undefined,
    required: false,
    nullable: true,
  })
  anchor?: FieldAnchorDto | null;

  @Field.string({
    description: 'Form field it fills in.',
    example: 'customer.name',
    maxLength: 500,
    required: false,
    nullable: true,
  })
  form_field?: string | null;
}

export class ReplacePlacedFieldsDto {
  @Field.object(() => PlacedFieldDto, {
    description: 'All fields of the file.',
    example: [{ key: 'signature', party: 'customer', kind: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.3, h: 0.06 }],
    list: { maxItems: 200, repeats: true },
  })
  fields: PlacedFieldDto[];
}

/** Without what follows from their form fields. */
export function shownPlaces<F extends Pick<PlacedField, FormLook>>(list: readonly F[]): Omit<F, FormLook>[] {
  return list.map(({ multiline: _, frame: __, cells: ___, ...field }) => field);
}

/** Where a value of data_values is printed, at finalization, as the party sees it. */
export class PlacedValueDto extends pickOf(PlacedFieldDto, ['page', 'x', 'y', 'w', 'h', 'anchor', 'form_field']) {
  @Field.string({
    description: 'Path of the field in the field_schema; true prints a tick.',
    example: 'customer_name',
    maxLength: 255,
  })
  data_field: string;
}

/** What stands on the PDF of a type. */
export class ReplaceTypeFieldsDto extends ReplacePlacedFieldsDto {
  @Field.object(() => PlacedValueDto, {
    description: 'Where values of the documents are printed.',
    example: [{ data_field: 'customer_name', page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.03 }],
    list: { maxItems: 500, repeats: true },
    required: false,
    default: [],
  })
  values?: PlacedValueDto[];
}
