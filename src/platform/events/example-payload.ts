import type { Type } from '@nestjs/common';
import { ActorDto, fieldsOf, type EventDefinition } from '../../kit/index.js';

/** An example of a payload, composed of the examples of its fields; recursive types end with null. */
export function examplePayload(dto: Type, within: readonly Type[] = []): object {
  const members = [...fieldsOf(dto)].map(([name, { type, list, example }]) => {
    if (!type) return [name, example ?? null] as const;
    const nested = within.includes(type()) ? null : examplePayload(type(), [...within, dto]);
    return [name, list ? [nested].filter((item) => item !== null) : nested] as const;
  });
  return Object.fromEntries(members);
}

/** The body of an event as receivers get it, around an example of its object. */
export function exampleEvent({ name, context = {} }: Pick<EventDefinition, 'name' | 'context'>, object: unknown): Record<string, unknown> {
  return {
    id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63',
    object: 'event',
    type: name,
    api_version: 'v1',
    mode: 'live',
    created_at: '2026-11-21T09:30:00.000Z',
    sequence: 4182,
    organization_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a64',
    project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    actor: examplePayload(ActorDto),
    data: { object, previous_attributes: {}, context: Object.fromEntries(Object.keys(context).map((member) => [member, {}])) },
    request: { id: 'req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d', idempotency_key: null },
  };
}
