import { ActorDto, ActorField, Field, Listing, ListQuery, ResourceDto, responseOf } from '../../../kit/index.js';
import type { ConsentRecord } from './consent-record.entity.js';
import { CONSENT_CHANNELS, type ConsentChannel } from './consent.js';

/** One entry of the consent log. */
export class ConsentRecordDto extends ResourceDto {
  @Field.constant('consent_record')
  object: string;

  @Field.oneOf(CONSENT_CHANNELS, {
    description: 'Channel of the answer.',
    example: 'email',
  })
  channel: ConsentChannel;

  @Field.boolean({
    description: 'Whether the person allowed contact on the channel.',
    example: true,
  })
  granted: boolean;

  @Field.string({
    description: 'Where the answer was given, as stated by the sender.',
    example: 'Contact form, footer',
    nullable: true,
    maxLength: 500,
  })
  source: string | null;

  @Field.boolean({
    description: 'false when the answer was only logged and the lead kept its consent.',
    example: true,
  })
  applied: boolean;

  @ActorField('Who submitted the answer.')
  recorded_by: ActorDto;

  static from(this: void, record: ConsentRecord): ConsentRecordDto {
    return responseOf(ConsentRecordDto, record);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class ConsentRecordsQuery extends ListQuery {}
