import {
  ActorDto,
  ActorField,
  Field,
  Filter,
  Listing,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  restorableUntil,
} from '../../kit/index.js';
import type { DeletedRecord } from './deleted-record.entity.js';
import type { BinResource } from './bin-resources.js';

/** A deleted record that can be restored. */
export class DeletedRecordDto extends ResourceDto {
  @Field.constant('deleted_record')
  object: string;

  @Field.string({
    description: 'What was deleted, such as note.',
    example: 'note',
  })
  resource: string;

  @Field.uuid({
    description: 'Id of the deleted record; a restored one has it again.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  record_id: string;

  @Field.string({
    description: 'Its title, name, number or code.',
    example: 'Check the pump',
    nullable: true,
  })
  title: string | null;

  @Field.uuid({
    description: 'Project of the record.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  })
  project_id: string;

  @Field.oneOf(['live', 'test'], {
    description: 'The data to which it belongs.',
    example: 'live',
  })
  mode: string;

  @ActorField('Who deleted it.')
  deleted_by: ActorDto;

  @Field.dateTime({
    description: 'Until when it can be restored, UTC; then it is gone.',
    example: '2027-03-31T08:00:00.000Z',
  })
  restorable_until: string;

  @Field.string({
    description: 'POST to this path restores it.',
    example: '/api/v1/org/notes/notes/0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60/restore',
  })
  restore_path: string;

  static from(this: void, row: DeletedRecord, { path }: BinResource): DeletedRecordDto {
    return {
      ...responseOf(DeletedRecordDto, row),
      title: row.title ?? row.kept_title ?? null,
      restorable_until: restorableUntil(row.created_at).toISOString(),
      restore_path: path.replace(/\{\w+\}/, row.record_id),
    };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class DeletedRecordsQuery extends ProjectListQuery {
  @Filter.string({
    description: 'Only of these resources.',
    example: ['note'],
  })
  resource?: string[];

  @Filter.uuid({
    description: 'Only the records with these ids.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60'],
  })
  record_id?: string[];

  @Filter.custom({
    kind: 'string',
    maxLength: 100,
    description: 'Only records whose title, or the address of who deleted them, contains this text.',
    example: 'pump',
  })
  text?: string;
}
