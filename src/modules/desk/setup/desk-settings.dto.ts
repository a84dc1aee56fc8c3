import { bothOf, Field, responseOf, shownOf } from '../../../kit/index.js';
import { DeskConfiguredDto } from '../lookups/configured.dto.js';
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
export class DeskSettingsDto extends bothOf(
  DeskConfiguredDto,
  shownOf(UpdateDeskSettingsDto, { close_after_days: true, ask_for_rating: true }),
) {
  @Field.constant('desk_settings')
  object: string;

  static from(this: void, settings: DeskSettings): DeskSettingsDto {
    return responseOf(DeskSettingsDto, settings);
  }
}
