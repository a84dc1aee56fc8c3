import type { Type } from '@nestjs/common';
import { fieldsOf } from '../../kit/index.js';

/** An example of a payload, composed of the examples of its fields; recursive types end with null. */
export function examplePayload(dto: Type, within: readonly Type[] = []): object {
  const members = [...fieldsOf(dto)].map(([name, { type, list, example }]) => {
    if (!type) return [name, example ?? null] as const;
    const nested = within.includes(type()) ? null : examplePayload(type(), [...within, dto]);
    return [name, list ? [nested].filter((item) => item !== null) : nested] as const;
  });
  return Object.fromEntries(members);
}
