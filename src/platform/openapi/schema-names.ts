import type { Type } from '@nestjs/common';
import { fieldsOf } from '../../kit/index.js';
import { schemaName } from '../../kit/internal.js';

/** A DTO that the documents describe, and what uses it, such as an operation. */
export interface DescribedType {
  type: Type;
  user: string;
}

/**
 * Names the schema of each DTO, and of those within it. Two classes with one name are an error, because the schema of one would replace
 * that of the other.
 */
export function nameSchemas(described: readonly DescribedType[]): void {
  const named = new Map<string, DescribedType>();
  const seen = new Set<Type>();
  const visit = ({ type, user }: DescribedType) => {
    if (seen.has(type)) return;
    seen.add(type);
    const name = schemaName(type);
    const other = named.get(name);
    if (other)
      throw new Error(
        `${other.type.name} of ${other.user} and ${type.name} of ${user} would both be the schema ${name} of the OpenAPI documents; ` +
          `rename one of the classes.`,
      );
    named.set(name, { type, user });
    for (const [field, { type: nested }] of fieldsOf(type)) if (nested) visit({ type: nested(), user: `${user} (${field})` });
  };
  described.forEach(visit);
}
