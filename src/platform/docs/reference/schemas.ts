import type { ApiDocument, Schema } from '../../client/api-document.js';

/** What a schema of the document says beyond what the client is generated from. */
export interface DescribedSchema extends Omit<Schema, 'items' | 'properties' | 'allOf' | 'anyOf' | 'oneOf' | 'additionalProperties'> {
  items?: DescribedSchema;
  properties?: Record<string, DescribedSchema>;
  allOf?: DescribedSchema[];
  anyOf?: DescribedSchema[];
  oneOf?: DescribedSchema[];
  additionalProperties?: boolean | DescribedSchema;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  'x-custom-fields'?: string;
  'x-in-samples'?: boolean;
}

/** A member of an object, or a parameter. */
export interface FieldRow {
  name: string;
  /** In words: `string, UUID`, `list of objects`. */
  type: string;
  isRequired: boolean;
  isNullable: boolean;
  description: string;
  /** Limits and the default, in words. */
  notes: string[];
  values: string[];
  /** The schema of the document that has the members, if it has a name. */
  schemaName: string | null;
  children: FieldRow[];
}

/** Deeper members are described by the page of their object. */
const DEEPEST = 4;

/** Reads the schemas of one document. */
export class Schemas {
  constructor(private readonly document: ApiDocument) {}

  /** The schema that a reference or a wrapped reference stands for, without null, and its name. */
  resolve(schema: DescribedSchema): { schema: DescribedSchema; name: string | null; isNullable: boolean } {
    let current = schema;
    let name: string | null = null;
    let isNullable = [schema.type].flat().includes('null');
    for (;;) {
      const options: DescribedSchema[] = current.anyOf ?? current.oneOf ?? (current.properties ? [] : (current.allOf ?? []));
      if (current.$ref !== undefined) {
        name = current.$ref.slice(current.$ref.lastIndexOf('/') + 1);
        current = this.document.components.schemas![name] as DescribedSchema;
      } else if (options.length > 0) {
        const values = options.filter(({ type }) => type !== 'null');
        isNullable ||= values.length < options.length;
        if (values.length !== 1) return { schema: current, name, isNullable };
        current = values[0];
      } else return { schema: current, name, isNullable };
    }
  }

  /** The members of an object, of all parts of an intersection and all forms of a union. */
  members(schema: DescribedSchema): { properties: Record<string, DescribedSchema>; required: string[] } {
    const { schema: found } = this.resolve(schema);
    const parts = (found.allOf ?? []).map((part) => this.members(part));
    const forms = (found.anyOf ?? found.oneOf ?? []).filter(({ type }) => type !== 'array').map((form) => this.members(form));
    const inAll = (forms[0]?.required ?? []).filter((name) => forms.every(({ required }) => required.includes(name)));
    return {
      properties: Object.assign({}, ...[...parts, ...forms].map(({ properties }) => properties), found.properties) as Record<
        string,
        DescribedSchema
      >,
      required: [...parts.flatMap(({ required }) => required), ...inAll, ...(found.required ?? [])],
    };
  }

  /** A row for each member. Objects named in `linked` are described elsewhere, so their members are left out. */
  rows(schema: DescribedSchema, linked: ReadonlySet<string> = new Set(), within: readonly string[] = []): FieldRow[] {
    const { properties, required } = this.members(schema);
    return Object.entries(properties).map(([name, property]) => this.row(name, property, required.includes(name), linked, within));
  }

  row(name: string, schema: DescribedSchema, isRequired: boolean, linked: ReadonlySet<string>, within: readonly string[] = []): FieldRow {
    const { schema: found, name: ownName, isNullable } = this.resolve(schema);
    const item = this.itemOf(found);
    const object = item ?? { schema: found, name: ownName };
    const isDescribed = object.name !== null && (linked.has(object.name) || within.includes(object.name));
    const nested = isDescribed || within.length >= DEEPEST ? [] : this.rows(object.schema, linked, [...within, object.name ?? name]);
    return {
      name,
      type: this.typeOf(found, item?.schema),
      isRequired,
      isNullable,
      description: schema.description ?? found.description ?? '',
      notes: notesOf({ ...found, ...schema }, item?.schema),
      values: valuesOf(found, item?.schema),
      schemaName: object.name !== null && linked.has(object.name) ? object.name : null,
      children: nested,
    };
  }

  /** The items of a list, or the values of an object with keys of the caller's. */
  private itemOf({ items, additionalProperties }: DescribedSchema) {
    if (items) return this.resolve(items);
    return typeof additionalProperties === 'object' ? this.resolve(additionalProperties) : undefined;
  }

  private typeOf(schema: DescribedSchema, item?: DescribedSchema): string {
    const kinds = [schema.type ?? (schema.properties || schema.allOf ? 'object' : [])].flat().filter((kind) => kind !== 'null');
    if (kinds.includes('array')) return `list of ${plural(item ? this.typeOf(item) : 'value')}`;
    if (item) return `object of ${plural(this.typeOf(item))}`;
    const forms = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null').map((form) => this.resolve(form).schema);
    if (kinds.length === 0 && forms.length > 0) return [...new Set(forms.map((form) => this.typeOf(form)))].join(' or ');
    if (schema.enum && kinds.length === 1 && kinds[0] === 'string') return 'enum';
    const format = schema.format === undefined ? undefined : FORMATS[schema.format];
    if (kinds.length === 1 && kinds[0] === 'string' && format) return format;
    return kinds.join(' or ') || 'any value';
  }

  /** An example, composed of those of the members. */
  example(schema: DescribedSchema, within: readonly string[] = []): unknown {
    if (schema.examples) return schema.examples[0];
    const { schema: found, name } = this.resolve(schema);
    if (found !== schema && found.examples) return found.examples[0];
    if (name !== null && within.includes(name)) return undefined;
    const inside = name === null ? within : [...within, name];
    if (found.enum) return found.enum[0];
    if (found.const !== undefined) return found.const;
    const { properties } = this.members(found);
    if (Object.keys(properties).length > 0) {
      const members = Object.entries(properties).map(([key, property]) => [key, this.example(property, inside)] as const);
      return coherent(Object.fromEntries(members.filter(([, value]) => value !== undefined)));
    }
    const [form] = found.anyOf ?? found.oneOf ?? [];
    if (form) return this.example(form, inside);
    const kinds = [found.type].flat();
    if (kinds.includes('array')) {
      const item = found.items && this.example(found.items, inside);
      return item === undefined ? [] : [item];
    }
    if (kinds.includes('null')) return null;
    return { string: 'text', integer: 1, number: 1, boolean: false, object: {} }[kinds[0] as string];
  }
}

/** The members of an example that show one record say the same of it: `status_id` and `status.id`, `label_names` and `labels[0].name`. */
function coherent(example: Record<string, unknown>): Record<string, unknown> {
  const agreeing = (of: string, record: unknown, at: number | null) =>
    typeof record !== 'object' || record === null
      ? record
      : Object.fromEntries(
          Object.entries(record).map(([name, value]) => {
            const said = example[`${of}_${name}${at === null ? '' : 's'}`];
            const other = at === null ? said : (said as unknown[] | undefined)?.[at];
            return [name, typeof other === typeof value ? other : value];
          }),
        );
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item, at) => agreeing(name.replace(/s$/, ''), item, at)) : agreeing(name, value, null),
    ]),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  date: 'date',
  'date-time': 'time',
  email: 'e-mail address',
  uri: 'URL',
  binary: 'file',
};

function plural(type: string): string {
  if (type === 'e-mail address') return 'e-mail addresses';
  return / (or|of) /.test(type) || type === 'any value' ? type : `${type}s`;
}

function valuesOf(schema: DescribedSchema, item?: DescribedSchema): string[] {
  const values = schema.enum ?? item?.enum ?? [];
  // `Always task` says it already
  return values.length > 1 ? values.filter((value) => value !== null).map(String) : [];
}

function notesOf(schema: DescribedSchema, item?: DescribedSchema): string[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems } = schema;
  const most = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const hasWords = schema.format === undefined && !schema.enum;
  return [
    ...(hasWords && maxLength !== undefined
      ? [minLength > 1 ? `${minLength} to ${most(maxLength, 'character')}` : `at most ${most(maxLength, 'character')}`]
      : []),
    ...(minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1
      ? [`${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`]
      : minimum !== undefined
        ? [`at least ${minimum.toLocaleString('en')}`]
        : []),
    ...(maxItems !== undefined ? [`${minItems > 0 ? `${minItems} to ` : 'at most '}${most(maxItems, 'item')}`] : []),
    ...(item?.maxLength !== undefined && item.format === undefined && !item.enum
      ? [`each at most ${most(item.maxLength, 'character')}`]
      : []),
    ...(schema.default !== undefined ? [`default \`${JSON.stringify(schema.default)}\``] : []),
  ];
}
