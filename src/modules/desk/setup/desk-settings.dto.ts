import { Field } from '../../../kit/index.js';
import { base, DeskConfiguredDto } from '../lookups/lookups.dto.js';
import type { DeskSettings } from '../model/settings.entity.js';

export class UpdateDeskSettingsDto {
  @Field.integer({
    description: 'Days from solving to closing a ticket.',
    example: 4,
    minimum: 1,
    maximum: 28,
    required: false,
  })
  close_after_days?: number;

  @Field.boolean({
    description: 'Whether requesters are asked to rate solved tickets.',
    example: true,
    required: false,
  })
  ask_for_rating?: boolean;
}

/** The settings of a project. */
export class DeskSettingsDto extends DeskConfiguredDto {
  @Field.constant('desk_settings')
  object: string;

  @Field.integer({
    description: 'Days from solving to closing a ticket.',
    example: 4,
    minimum: 1,
    maximum: 28,
  })
  close_after_days: number;

  @Field.boolean({
    description: 'Whether requesters are asked to rate solved tickets.',
    example: true,
  })
  ask_for_rating: boolean;

  static from(this: void, settings: DeskSettings): DeskSettingsDto {
    const { close_after_days, ask_for_rating } = settings;
    return { object: 'desk_settings', ...base(settings), close_after_days, ask_for_rating };
  }
}
