import { Field } from '../../kit/index.js';

const KINDS = ['request', 'event', 'delivery', 'api_key', 'webhook_endpoint'] as const;

export class FindQuery {
  @Field.string({
    description: 'An id of any of these, a Request-Id (`req_...`), or the last four characters of an API key.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
    maxLength: 100,
  })
  q: string;
}

/** Something that an id identifies. */
export class FoundDto {
  @Field.constant('found')
  object: string;

  @Field.oneOf(KINDS, {
    description: 'What it is.',
    example: 'request',
  })
  kind: string;

  @Field.uuid({
    description: 'Its id.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id: string;

  @Field.string({
    description: 'What it is called.',
    example: 'POST /api/v1/ext/notes/notes',
    maxLength: 2_500,
    minLength: 0,
  })
  title: string;

  @Field.string({
    description: 'Its outcome or state.',
    example: '409 resource_conflict',
    maxLength: 300,
  })
  detail: string;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane.',
    example: 'test',
    nullable: true,
  })
  mode: string | null;
}

/** What was found. */
export class FindingDto {
  @Field.constant('finding')
  object: string;

  @Field.object(() => FoundDto, {
    description: 'At most 20; empty if nothing has this id, or your role may not see it.',
    example: undefined,
    list: { maxItems: 20 },
  })
  results: FoundDto[];
}
