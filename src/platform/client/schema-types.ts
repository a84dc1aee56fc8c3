import type { Schema } from './api-document.js';

/** TypeScript's type of a schema. Schemas of the document are referred to by name, of the namespace `from` if it is given. */
export function typeOf(schema: Schema, from = ''): string {
  if (schema.$ref !== undefined) return from + schemaTypeName(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const { allOf, anyOf = schema.oneOf } = schema;
  if (anyOf) return union(anyOf.map((part) => typeOf(part, from)));
  if (allOf) {
    const own = schema.properties ? [objectOf(schema, from)] : [];
    return [...allOf.map((part) => inParentheses(typeOf(part, from))), ...own].join(' & ');
  }
  const types = schema.type === undefined ? [schema.properties ? 'object' : 'unknown'] : [schema.type].flat();
  return union(types.map((type) => typeOfKind(type, schema, from)));
}

function typeOfKind(type: string, schema: Schema, from: string): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return arrayOf(schema, from);
    case 'object':
      if (schema['x-custom-fields'] !== undefined) return `CustomFieldValues<${JSON.stringify(schema['x-custom-fields'])}>`;
      return schema.properties ? objectOf(schema, from) : mapOf(schema, from);
    default:
      return 'unknown';
  }
}

function arrayOf({ items = {} }: Schema, from: string): string {
  // a form can have one file or several
  return items.format === 'binary' ? 'Blob | readonly Blob[]' : `${inParentheses(typeOf(items, from))}[]`;
}

function mapOf({ additionalProperties = true }: Schema, from: string): string {
  if (additionalProperties === false) return '{}';
  return `{ [name: string]: ${additionalProperties === true ? 'unknown' : typeOf(additionalProperties, from)} }`;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, from = ''): string {
  const members = Object.entries(properties).map(([name, property]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${comment(property.description)}${propertyName(name)}${optional}: ${typeOf(property, from)};\n`;
  });
  // its members have types of their own
  const others = additionalProperties ? ['[name: string]: unknown;\n'] : [];
  return `{\n${[...members, ...others].join('').replace(/^(?=.)/gm, '  ')}}`;
}

/** A declaration that other files can import. */
export function declarationOf(name: string, schema: Schema): string {
  const isObject =
    schema.properties !== undefined && [schema.type].flat().join('') === 'object' && !schema.allOf && !schema.anyOf && !schema.oneOf;
  const declared = isObject ? `interface ${name} ${objectOf(schema)}` : `type ${name} = ${typeOf(schema)};`;
  return `${comment(schema.description)}export ${declared}\n`;
}

/** The name of a schema, except that of a global type. */
export function schemaTypeName(name: string): string {
  const identifier = name.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
  return GLOBAL_TYPES.includes(identifier) ? `${identifier}Body` : identifier;
}

const GLOBAL_TYPES = ['Error', 'Blob', 'Response', 'Promise'];

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

export function comment(...lines: readonly (string | undefined)[]): string {
  const text = lines.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/');
  if (text === '') return '';
  if (!text.includes('\n')) return `/** ${text} */\n`;
  return `/**\n${text.replace(/^.*$/gm, (line) => ` * ${line}`.trimEnd())}\n */\n`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function inParentheses(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}
