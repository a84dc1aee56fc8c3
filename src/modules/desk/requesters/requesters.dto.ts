import {
  bothOf,
  Field,
  Filter,
  Listing,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Requester } from '../model/requester.entity.js';

/** The merge patch of a requester. */
export class UpdateRequesterDto {
  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  name?: string | null;

  @Field.customFields('requester')
  custom_fields?: CustomFieldValues;
}

/** Somebody who asked for help. */
export class RequesterDto extends bothOf(ResourceDto, shownOf(UpdateRequesterDto, { name: true, custom_fields: 'Custom fields by key.' })) {
  @Field.constant('requester')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.email({
    summary: true,
    description: 'E-mail address in lower case, unique in the project.',
    example: 'ada@customer.example',
  })
  email: string;

  @Field.uuid({
    description: 'Contact of the CRM with the address.',
    example: null,
    nullable: true,
  })
  contact_id: string | null;

  static from(this: void, requester: Requester): RequesterDto {
    return responseOf(RequesterDto, requester);
  }
}

/** The filters of list_requesters. */
@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  customFields: 'requester',
})
export class RequestersQuery extends ProjectListQuery {
  @Filter.custom({
    kind: 'string',
    list: { maxItems: 50 },
    minLength: 1,
    maxLength: 254,
    description: 'Addresses, in any case.',
    example: ['ada@customer.example'],
  })
  email?: string[];
}
