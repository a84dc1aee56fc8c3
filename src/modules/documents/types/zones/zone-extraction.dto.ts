import { Field } from '../../../../kit/index.js';
import { ZONE_KINDS } from './zones.dto.js';

/** What a zone of the file contains. */
export class ExtractedZoneDto {
  @Field.string({
    description: 'Path of the field.',
    example: 'customer_name',
    maxLength: 200,
  })
  field: string;

  @Field.integer({
    description: 'Page, starting at 1.',
    example: 1,
    minimum: 1,
  })
  page: number;

  @Field.oneOf(ZONE_KINDS, {
    description: 'What the zone should contain.',
    example: 'text',
  })
  kind: (typeof ZONE_KINDS)[number];

  @Field.string({
    description: 'The text in the zone; null if there is none.',
    example: 'Acme GmbH',
    nullable: true,
    maxLength: 2_000,
  })
  text: string | null;

  @Field.string({
    description: 'Why data_values has no value from this zone although it has text or is a checkbox; null if there is no problem.',
    example: 'is not a number',
    nullable: true,
    maxLength: 2_000,
  })
  problem: string | null;
}

/** The values of a filled-in form. */
export class ZoneExtractionDto {
  @Field.constant('zone_extraction')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  type_id: string;

  @Field.integer({
    description: 'Version of the zones that were used.',
    example: 1,
    minimum: 1,
  })
  zones_version: number;

  @Field.integer({
    description: 'Pages of the file.',
    example: 2,
    minimum: 1,
  })
  pages: number;

  @Field.map({
    description: 'The values that the type accepts, for create_document.',
    example: { customer_name: 'Acme GmbH' },
  })
  data_values: Record<string, unknown>;

  @Field.string({
    description: 'Paths of required fields without a value.',
    example: ['starts_on'],
    maxLength: 200,
    list: { maxItems: 10_000, repeats: true },
  })
  missing_required_fields: string[];

  @Field.object(() => ExtractedZoneDto, {
    description: 'The zones in their order.',
    example: undefined,
    list: { maxItems: 500, repeats: true },
  })
  zones: ExtractedZoneDto[];
}
