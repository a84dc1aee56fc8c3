import { bothOf, Field, IsAfter, Listing, partialOf, ProjectLookupQuery, responseOf, shownOf } from '../../../kit/index.js';
import { DeskConfiguredDto, NAME, OfProjectDto } from '../lookups/configured.dto.js';
import type { DeskBusinessHours } from '../model/business-hours.entity.js';

const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

/** A part of a weekday. */
export class BusinessWindowDto {
  @Field.integer({
    description: 'ISO 8601: 1 is Monday.',
    example: 1,
    minimum: 1,
    maximum: 7,
  })
  weekday: number;

  @Field.string({
    description: 'Local time, HH:MM.',
    example: '09:00',
    pattern: CLOCK,
  })
  start: string;

  @Field.string({
    description: 'Local time after start, HH:MM, at most 24:00; exclusive.',
    example: '17:00',
    pattern: `${CLOCK}|^24:00$`,
  })
  @IsAfter('start')
  end: string;
}

export class CreateBusinessHoursDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Office hours',
  })
  name: string;

  @Field.string({
    description: "IANA name of the time zone; the project's if omitted.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;

  @Field.object(() => BusinessWindowDto, {
    description: 'Working times; a day may have several windows.',
    example: [{ weekday: 1, start: '09:00', end: '17:00' }],
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  windows: BusinessWindowDto[];

  @Field.date({
    description: 'Dates without working time.',
    example: ['2026-12-25'],
    default: [],
    list: { maxItems: 500 },
    required: false,
  })
  holidays?: string[];
}

export class UpdateBusinessHoursDto extends partialOf(CreateBusinessHoursDto, { omit: ['project_id'] }) {}

/** When somebody answers. */
export class BusinessHoursDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateBusinessHoursDto, {
    name: true,
    timezone: 'IANA name of the time zone.',
    windows: 'When somebody answers.',
    holidays: true,
  }),
) {
  @Field.constant('business_hours')
  object: string;

  static from(this: void, hours: DeskBusinessHours): BusinessHoursDto {
    return responseOf(BusinessHoursDto, hours);
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class BusinessHoursQuery extends ProjectLookupQuery {}
