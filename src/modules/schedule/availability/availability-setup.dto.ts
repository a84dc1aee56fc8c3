import { bothOf, Field, IsAfter, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import type { AvailabilityOverride } from '../model/setup/availability-override.entity.js';
import type { Availability } from '../model/setup/availability.entity.js';

const TIME = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
const END = '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';

/** A part of a day. */
export class DayWindowDto {
  @Field.string({
    description: 'Local time HH:MM.',
    example: '09:00',
    pattern: TIME,
    maxLength: 5,
  })
  start: string;

  @Field.string({
    description: 'Local time HH:MM, up to 24:00; exclusive.',
    example: '17:00',
    pattern: END,
    maxLength: 5,
  })
  @IsAfter('start')
  end: string;
}

/** Opening hours on a weekday. */
export class AvailabilityRuleDto extends DayWindowDto {
  @Field.integer({
    description: '1 for Monday to 7 for Sunday.',
    example: 1,
    minimum: 1,
    maximum: 7,
  })
  weekday: number;
}

/** Which of the open times can be booked. */
export class AvailabilitySettingsDto {
  @Field.integer({
    description: 'Minutes between the starts of two slots.',
    example: 30,
    minimum: 5,
    maximum: 1440,
  })
  slot_minutes: number;

  @Field.integer({
    description: "Minutes kept free before each event, in addition to a resource's.",
    example: 0,
    minimum: 0,
    maximum: 1440,
  })
  buffer_before: number;

  @Field.integer({
    description: "Minutes kept free after each event, in addition to a resource's.",
    example: 0,
    minimum: 0,
    maximum: 1440,
  })
  buffer_after: number;

  @Field.integer({
    description: 'Minutes from now to the first slot.',
    example: 120,
    minimum: 0,
    maximum: 525600,
  })
  min_notice_minutes: number;

  @Field.integer({
    description: 'Days from today with slots.',
    example: 60,
    minimum: 1,
    maximum: 730,
  })
  horizon_days: number;

  @Field.integer({
    description: 'Maximum number of bookings on one local day; null for no limit.',
    example: null,
    minimum: 1,
    maximum: 1000,
    nullable: true,
  })
  daily_limit: number | null;

  static from(this: void, availability: AvailabilitySettingsDto): AvailabilitySettingsDto {
    return responseOf(AvailabilitySettingsDto, availability);
  }
}

/** When a calendar or a resource can be booked. */
export class SetAvailabilityDto {
  @Field.object(() => AvailabilityRuleDto, {
    description: 'Weekly opening hours; none: only the days with overrides are open.',
    example: undefined,
    list: { maxItems: 168, repeats: true },
  })
  rules: AvailabilityRuleDto[];

  @Field.object(() => AvailabilitySettingsDto, {
    description: 'Which of the open times can be booked.',
    example: undefined,
  })
  settings: AvailabilitySettingsDto;
}

export class SetOverrideDto {
  @Field.object(() => DayWindowDto, {
    description: 'Open times of the day, in place of the rules; none: closed.',
    example: undefined,
    list: { maxItems: 24, repeats: true },
  })
  windows: DayWindowDto[];
}

/** The open times of one day instead of the rules. */
export class AvailabilityOverrideDto extends shownOf(SetOverrideDto, { windows: true }) {
  @Field.date({
    description: 'Local date.',
    example: '2026-12-24',
  })
  on: string;

  static from(this: void, { on, windows }: AvailabilityOverride): AvailabilityOverrideDto {
    return { on, windows };
  }
}

/** The availability that was set for a calendar or a resource. */
export class AvailabilitySetupDto extends bothOf(
  ResourceDto,
  shownOf(SetAvailabilityDto, { rules: 'Weekly opening hours.', settings: true }),
) {
  @Field.constant('availability')
  object: string;

  @Field.uuid({
    description: 'Calendar.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.uuid({
    description: 'Resource; null for the calendar itself.',
    example: null,
    nullable: true,
  })
  resource_id: string | null;

  @Field.object(() => AvailabilityOverrideDto, {
    description: 'Days that differ from the rules, from today on.',
    example: undefined,
    list: { maxItems: 1000 },
  })
  overrides: AvailabilityOverrideDto[];

  static from(this: void, availability: Availability, overrides: readonly AvailabilityOverride[]): AvailabilitySetupDto {
    return {
      ...responseOf(AvailabilitySetupDto, availability),
      overrides: overrides.map(AvailabilityOverrideDto.from),
      settings: AvailabilitySettingsDto.from(availability),
    };
  }
}
