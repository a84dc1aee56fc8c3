import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

/** An example of a schema, put together from the examples of its properties. */
export function exampleOf(schema: Json | undefined, document: OpenAPIObject): unknown {
  return build(schema, document, 0);
}

function build(schema: Json | undefined, document: OpenAPIObject, depth: number): unknown {
  if (!schema || depth > 6) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') return build(resolve(schema.$ref, document), document, depth + 1);
  // @nestjs/swagger wraps a $ref that has a description
  if (Array.isArray(schema.allOf)) return build(schema.allOf[0] as Json, document, depth + 1);
  if (schema.type === 'array') {
    const item = build(schema.items as Json, document, depth + 1);
    return item === undefined ? [] : [item];
  }
  if (Array.isArray(schema.enum)) return (schema.enum as unknown[])[0];
  if (schema.properties) {
    const members = Object.entries(schema.properties as Record<string, Json>).map(([name, property]) => [name, build(property, document, depth + 1)] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (schema.nullable) return null;
  return { string: 'text', integer: 1, number: 1, boolean: false, object: {} }[schema.type as string];
}

export function resolve(ref: string, document: OpenAPIObject): Json | undefined {
  return (document.components?.schemas as Record<string, Json> | undefined)?.[ref.replace('#/components/schemas/', '')];
}
