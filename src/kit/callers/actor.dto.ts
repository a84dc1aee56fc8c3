import type { Actor } from './ctx.js';
import { Field } from '../fields/fields.js';

/** The author of a change, as responses and events show it. */
export class ActorDto {
  @Field.oneOf(['user', 'api_key', 'system', 'guest'], {
    summary: true,
    description: 'Who acted: a member (user), an API key, the system itself or a visitor (guest).',
    example: 'api_key',
  })
  type: Actor['type'];

  @Field.uuid({
    description: 'Id of the member or API key; null for the system and for visitors.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    nullable: true,
  })
  id: string | null;

  @Field.email({
    summary: true,
    description: 'E-mail address, if known.',
    example: 'ada@example.com',
    nullable: true,
  })
  email: string | null;
}

/**
 * A field with an author: `@ActorField('Who created it.') created_by: ActorDto`.
 *
 * @example
 * ```ts
 * import { ActorField, ResourceDto, type Actor } from 'work-suite/kit';
 *
 * export class DecisionDto extends ResourceDto {
 *   @ActorField('Who decided.')
 *   decided_by: Actor;
 * }
 * ```
 */
export function ActorField(description: string, { summary = false } = {}): PropertyDecorator {
  return Field.object(() => ActorDto, { description, example: undefined, summary });
}
