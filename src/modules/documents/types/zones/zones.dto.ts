import { Field, shownOf } from '../../../../kit/index.js';
import { LONGEST_PATTERN } from '../../model/core/field-schema.js';

export const ZONE_KINDS = ['text', 'number', 'date', 'checkbox', 'table', 'signature'] as const;

const MOST_ZONES = 500;

/** An area of a page that contains a field's value. */
export class ZoneDto {
  @Field.integer({
    description: 'Page, from 1.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
  })
  page: number;

  @Field.number({
    description: 'Left, as a fraction.',
    example: 0.1,
    minimum: 0,
    maximum: 1,
  })
  x: number;

  @Field.number({
    description: 'Top, as a fraction.',
    example: 0.2,
    minimum: 0,
    maximum: 1,
  })
  y: number;

  @Field.number({
    description: 'Width.',
    example: 0.3,
    minimum: 0,
    maximum: 1,
  })
  w: number;

  @Field.number({
    description: 'Height.',
    example: 0.05,
    minimum: 0,
    maximum: 1,
  })
  h: number;

  @Field.string({
    description: 'Path in field_schema.',
    example: 'customer_name',
    maxLength: 200,
  })
  field: string;

  @Field.oneOf(ZONE_KINDS, {
    description: 'What the zone contains.',
    example: 'text',
  })
  kind: (typeof ZONE_KINDS)[number];

  @Field.string({
    description: 'RE2 that the value matches.',
    example: '^[A-Z]{2}\\d+$',
    maxLength: LONGEST_PATTERN,
    required: false,
    nullable: true,
  })
  pattern?: string | null;

  @Field.string({
    description: 'Printed text that it moves with.',
    example: 'Customer:',
    required: false,
    nullable: true,
  })
  anchor_text?: string | null;
}

/** All zones of a type, in the order to store. */
export class ReplaceZonesDto {
  @Field.object(() => ZoneDto, {
    description: 'All zones of the type.',
    example: undefined,
    list: { maxItems: MOST_ZONES, repeats: true },
  })
  zones: ZoneDto[];
}

/** The zones of a type. */
export class DocumentTypeZonesDto extends shownOf(ReplaceZonesDto, { zones: 'The zones.' }) {
  @Field.constant('document_type_zones')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  type_id: string;

  @Field.integer({
    description: 'Number of replacements, starting at 0. The value of the ETag.',
    example: 1,
    minimum: 0,
  })
  version: number;

  static from(this: void, typeId: string, { version, zones }: { version: number; zones: readonly ZoneDto[] }): DocumentTypeZonesDto {
    return { object: 'document_type_zones', type_id: typeId, version, zones: zones.map(zoneOf) };
  }
}

function zoneOf({ page, x, y, w, h, field, kind, pattern = null, anchor_text = null }: ZoneDto): ZoneDto {
  return { page, x, y, w, h, field, kind, pattern, anchor_text };
}
