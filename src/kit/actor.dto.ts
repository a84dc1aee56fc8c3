import type { Actor } from './ctx.js';
import { Field } from './fields.js';

/** Who did something, as answers and events name them. */
export class ActorDto {
  @Field.oneOf(['user', 'api_key', 'system', 'guest'], {
    description: 'Whether a member, an API key, the system itself or a visitor did it.',
    example: 'api_key',
  })
  type: Actor['type'];

  @Field.uuid({
    description: 'Id of the member or the API key; null for the system and visitors.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    nullable: true,
  })
  id: string | null;

  @Field.email({
    description: 'E-mail address, where one is known.',
    example: 'ada@example.com',
    nullable: true,
  })
  email: string | null;
}
