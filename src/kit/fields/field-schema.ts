import { decimalPattern } from '../values/decimals.js';
import type { FieldSpec, KeyFormat } from './field-specification.js';
import { UUID_PATTERN } from '../values/formats.js';

/** A JSON Schema 2020-12 fragment. */
export type JsonSchema = Record<string, unknown>;

/** Of a member that samples send although it is optional. */
export const IN_SAMPLES = 'x-in-samples';

/** The pattern of a string that must not be blank. */
export const NOT_BLANK = '\\S';

/** The schema of a field of any kind but `object`; `nullable` stays a flag that the OpenAPI writer resolves. */
export function jsonSchemaOf(spec: FieldSpec): JsonSchema {
  const item = itemSchema(spec);
  const schema: JsonSchema = spec.list
    ? { type: 'array', items: item, minItems: spec.list.minItems ?? 0, maxItems: spec.list.maxItems, uniqueItems: !spec.list.repeats }
    : item;
  return {
    ...schema,
    description: describe(spec),
    ...(spec.example === undefined ? {} : { example: spec.list && !Array.isArray(spec.example) ? [spec.example] : spec.example }),
    ...(spec.default === undefined ? {} : { default: spec.default }),
    ...(spec.nullable ? { nullable: true } : {}),
    ...(spec.deprecated ? { deprecated: true } : {}),
    ...(spec.inSamples ? { [IN_SAMPLES]: true } : {}),
    ...(spec.customFieldsOf === undefined ? {} : { 'x-custom-fields': spec.customFieldsOf }),
  };
}

export function describe({ description, onCreate }: FieldSpec): string {
  return onCreate === undefined ? description : `${description} ${onCreate}`;
}

/** The schema of a UUID, of a resource's key instead of it, and of `none`; only a UUID has the format. */
export function uuidSchema(orKey?: KeyFormat, orNone = false): JsonSchema {
  if (!orKey && !orNone) return { type: 'string', format: 'uuid' };
  const patterns = [UUID_PATTERN, ...(orKey ? [orKey.pattern] : [])].map((pattern) => pattern.slice(1, -1));
  return { type: 'string', pattern: `^(?:${[...(orNone ? ['none'] : []), ...patterns].join('|')})$` };
}

function itemSchema(spec: FieldSpec): JsonSchema {
  switch (spec.kind) {
    case 'string':
      if (spec.values) return defined({ type: 'string', enum: [...spec.values], 'x-error-code': spec.errorCode });
      return defined({
        type: 'string',
        minLength: spec.minLength,
        maxLength: spec.maxLength,
        pattern: spec.pattern ?? (spec.minLength ? NOT_BLANK : undefined),
        format: spec.format,
      });
    case 'uuid':
      return uuidSchema(spec.orKey, spec.filter?.orNone);
    case 'email':
      return defined({ type: 'string', format: 'email', maxLength: spec.maxLength });
    case 'integer':
    case 'number':
      return defined({ type: spec.kind, minimum: spec.minimum, maximum: spec.maximum });
    case 'decimal':
      return { type: 'string', pattern: decimalPattern(spec.decimal!) };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'date_time':
      return { type: 'string', format: 'date-time' };
    case 'enum':
      return { type: 'string', enum: [...(spec.values ?? []), ...(spec.filter?.orNone ? ['none'] : [])] };
    case 'text_or_map':
      // @nestjs/swagger requires a type next to oneOf; the OpenAPI writer removes it
      return {
        type: 'object',
        oneOf: [
          defined({ type: 'string', maxLength: spec.maxLength }),
          defined({ type: 'object', additionalProperties: true, maxProperties: spec.maxProperties }),
        ],
      };
    case 'value':
      return {
        type: 'object',
        oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
      };
    case 'map':
    case 'object':
      return defined({ type: 'object', additionalProperties: true, maxProperties: spec.maxProperties });
  }
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
