import { Field, pickOf, shownOf } from '../../../../kit/index.js';
import { DocumentTypeZonesDto, ZoneDto } from './zones.dto.js';

/** What a zone of the file contains. */
export class ExtractedZoneDto extends shownOf(ZoneDto, { field: 'Path of the field.', page: true, kind: 'What the zone should contain.' }) {
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
export class ZoneExtractionDto extends pickOf(DocumentTypeZonesDto, ['type_id']) {
  @Field.constant('zone_extraction')
  object: string;

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
