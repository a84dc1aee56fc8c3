import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

/** An example of a schema, composed of the examples of its properties. */
export function exampleOf(schema: Json | undefined, document: OpenAPIObject): unknown {
  return build(schema, document, []);
}

/** `within`: the references being built, so that recursion ends at a schema that contains itself. */
function build(schema: Json | undefined, document: OpenAPIObject, within: readonly string[]): unknown {
  if (!schema) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') {
    return within.includes(schema.$ref) ? undefined : build(resolve(schema.$ref, document), document, [...within, schema.$ref]);
  }
  // @nestjs/swagger wraps a $ref that has a description
  const [wrapped] = (schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []) as Json[];
  if (wrapped) return build(wrapped, document, within) ?? (isNullable(schema) ? null : undefined);
  if (Array.isArray(schema.enum)) return (schema.enum as unknown[])[0];
  if (schema.properties) {
    const members = Object.entries(schema.properties as Record<string, Json>)
      .filter(([, { deprecated }]) => deprecated !== true)
      .map(([name, property]) => [name, build(property, document, within)] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (isNullable(schema)) return null;
  if (schema.type === 'array') {
    const item = build(schema.items as Json, document, within);
    return item === undefined ? [] : [item];
  }
  return { string: 'text', integer: 1, number: 1, boolean: false, object: {} }[schema.type as string];
}

function isNullable({ nullable, type, anyOf }: Json): boolean {
  return nullable === true || [type].flat().includes('null') || ((anyOf ?? []) as Json[]).some((part) => part.type === 'null');
}

export function resolve(ref: string, document: OpenAPIObject): Json | undefined {
  return (document.components?.schemas as Record<string, Json> | undefined)?.[ref.replace('#/components/schemas/', '')];
}
