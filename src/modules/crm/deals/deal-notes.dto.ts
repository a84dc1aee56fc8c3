import { ActorDto, ActorField, bothOf, Field, Listing, ListQuery, DatedResourceDto, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import type { DealNote } from './deal-note.entity.js';

/** The body of create_deal_note. */
export class CreateDealNoteDto {
  @Field.string({
    summary: true,
    description: 'Text in Markdown.',
    example: 'Acme decides after the board meeting on 3 December.',
    maxLength: 10_000,
  })
  body: string;
}

/** A note on a deal. */
export class DealNoteDto extends bothOf(DatedResourceDto, shownOf(CreateDealNoteDto, { body: true })) {
  @Field.constant('deal_note')
  object: string;

  @Field.uuid({
    description: 'Deal that the note belongs to.',
    example: EXAMPLE.deal,
  })
  deal_id: string;

  @ActorField('Author of the note.', { summary: true })
  author: ActorDto;

  static from(this: void, { id, deal_id, body, author, version, created_at, updated_at }: DealNote): DealNoteDto {
    return {
      object: 'deal_note',
      id,
      deal_id,
      body,
      author,
      version,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class DealNotesQuery extends ListQuery {}
