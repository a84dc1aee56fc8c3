import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Json = Record<string, unknown>;
export type Schema = Json;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  explode: boolean;
  schema: Schema;
  /** The member of the resource that a path takes in place of its id. */
  'x-key'?: string;
}

/** One operation of the OpenAPI document. */
export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  parameters: readonly Parameter[];
  /** The schema of the object, if the body has two forms. */
  body: Schema | null;
  source: Json;
}

/** Whether the answer goes on until one side ends it. */
export function isEventStream({ source }: ApiOperation): boolean {
  return JSON.stringify(source.responses).includes('"text/event-stream"');
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The served OpenAPI document, as a client reads it; the tests know only what it declares. */
export class ApiDocument {
  /** Only their schemas have references. */
  readonly operations: readonly ApiOperation[];
  private readonly schemas: Record<string, Schema>;
  // the linters of OpenAPI compare the schemas with their standard
  private readonly ajv = new Ajv2020({
    // a schema that many refer to is compiled once
    inlineRefs: false,
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    code: { optimize: false },
  });
  private readonly validators = new Map<string, ValidateFunction>();

  /** By their texts. Most applications of a run serve the same, and reading one costs as much as a hundred requests. */
  private static readonly known = new Map<string, ApiDocument>();

  /** The document that is served at a URL. */
  static async at(url: string): Promise<ApiDocument> {
    const text = await (await fetch(url)).text();
    const document = this.known.get(text) ?? new ApiDocument(JSON.parse(text) as Json);
    this.known.set(text, document);
    return document;
  }

  constructor(readonly source: Json) {
    const schemas = ((source.components as Json).schemas ?? {}) as Record<string, Schema>;
    this.schemas = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, joined(schema, schemas)]));
    this.operations = Object.entries(source.paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => readOperation(path, method, item[method], source)),
    );
    this.ajv.addKeyword('x-error-code');
    this.ajv.addKeyword('x-in-samples');
    this.ajv.addKeyword('x-custom-fields');
    this.ajv.addKeyword('x-summary');
    (formats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'open', $defs: moved(this.schemas, 'open', false) });
    this.ajv.addSchema({ $id: 'closed', $defs: moved(this.schemas, 'closed', true) });
  }

  operation(id: string): ApiOperation {
    const found = this.operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`${id} is missing from the OpenAPI document.`);
    return found;
  }

  /** A schema with its references resolved and without null: the schema of a non-null value. */
  resolve(schema: Schema): Schema {
    if (typeof schema.$ref === 'string') return this.resolve(this.schemas[schema.$ref.replace('#/components/schemas/', '')]);
    const parts = (schema.allOf ?? schema.anyOf) as Schema[] | undefined;
    const shaped = parts?.filter((part) => part.type !== 'null');
    return shaped?.length === 1 ? this.resolve(shaped[0]) : schema;
  }

  acceptsNull(schema: Schema): boolean {
    if (typeof schema.$ref === 'string') return this.acceptsNull(this.resolve(schema));
    return [schema.type].flat().includes('null') || ((schema.anyOf ?? []) as Schema[]).some((part) => part.type === 'null');
  }

  /** A value composed of the examples of a schema's fields, as documentation pages show it. */
  example(schema: Schema, within: readonly Schema[] = []): unknown {
    const [example] = (schema.examples ?? []) as unknown[];
    if (example !== undefined) return example;
    const target = this.resolve(schema);
    if (within.includes(target)) return this.acceptsNull(schema) ? null : undefined;
    if (target.enum) return (target.enum as unknown[])[0];
    const inner = [...within, target];
    if (target.type === 'array') return [this.example(target.items as Schema, inner)].filter((item) => item !== undefined);
    if (!target.properties && this.acceptsNull(schema)) return null;
    if (!target.properties) return { string: 'text', integer: 1, number: 1, boolean: false, object: {} }[target.type as string];
    const members = Object.entries(target.properties).map(([name, property]) => [name, this.example(property as Schema, inner)] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }

  /** The reasons why a value does not match a schema. `closed`: additional properties are errors, too. */
  faults(schema: Schema, value: unknown, kind: 'open' | 'closed' = 'closed'): string[] {
    const key = `${kind} ${JSON.stringify(schema)}`;
    let validate = this.validators.get(key);
    if (!validate) this.validators.set(key, (validate = this.ajv.compile(moved(schema, kind, kind === 'closed') as Schema)));
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** The reasons why a response does not match the operation's declaration. `body`: any value for a file. */
  responseFaults(operation: ApiOperation, status: number, body: unknown, contentType = 'application/json'): string[] {
    const response = (operation.source.responses as Record<string, Json>)[status];
    if (!response) return [`the status ${status} is not declared`];
    const type = contentType.split(';')[0];
    const content = (response.content as Record<string, Json> | undefined)?.[type];
    if (type !== 'application/json') return content ? [] : [`${type} is not declared for ${status}`];
    if (!content) return body === undefined ? [] : ['a body where none is declared'];
    const faults = this.faults(content.schema as Schema, body, status < 400 ? 'closed' : 'open');
    if (status < 400 || faults.length > 0) return faults;
    const { code } = (body as { error: { code: string } }).error;
    return code in (content.examples as Json) ? [] : [`the code ${code} is not declared for ${status}`];
  }
}

/** An object of several parts as one schema, so that it can be closed. */
function joined(schema: Schema, schemas: Record<string, Schema>): Schema {
  const { allOf = [], ...own } = schema as Schema & { allOf?: Schema[] };
  if (allOf.length < 2) return schema;
  const parts = allOf.map((part) => (typeof part.$ref === 'string' ? schemas[part.$ref.replace('#/components/schemas/', '')] : part));
  return { ...parts.reduce(both), ...own };
}

function both(one: Schema, other: Schema): Schema {
  const properties = { ...(one.properties as Record<string, Schema>) };
  for (const [name, schema] of Object.entries((other.properties ?? {}) as Record<string, Schema>))
    properties[name] = name in properties && schema.properties ? both(properties[name], schema) : schema;
  return { ...one, ...other, properties, required: [...new Set([one.required, other.required].flat())] };
}

/** A copy with the shared parameters, responses and examples in place of the references to them. */
function inlined(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const [, kind, name] = /^#\/components\/(parameters|responses|examples)\/(.+)$/.exec(String((value as Json).$ref)) ?? [];
  if (kind) return inlined((document.components as Record<string, Json>)[kind][name], document);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member, document)]));
}

function readOperation(path: string, method: string, source: Json, document: Json): ApiOperation {
  const content = ((source.requestBody as Json | undefined)?.content as Record<string, Json> | undefined)?.['application/json'];
  const parameters = (inlined(source.parameters ?? [], document) as Json[]).map(
    (parameter) => ({ ...parameter, required: parameter.required === true, explode: parameter.explode !== false }) as Parameter,
  );
  let whole: Json | undefined;
  return {
    id: source.operationId as string,
    method,
    path,
    tag: (source.tags as string[])[0],
    parameters,
    body: bodyOf(content?.schema as Schema | undefined),
    // most files look at a few operations
    get source() {
      return (whole ??= inlined(source, document) as Json);
    },
  };
}

function bodyOf(schema: Schema | undefined): Schema | null {
  const forms = schema?.oneOf as Schema[] | undefined;
  return forms?.find(({ type }) => type !== 'array') ?? schema ?? null;
}

/** A copy whose references point into ajv's store; closed objects have `additionalProperties: false`. */
function moved(value: unknown, target: string, closed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, target, closed));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Json = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref') copy[key] = (member as string).replace('#/components/schemas/', `${target}#/$defs/`);
    else copy[key] = key === 'examples' || key === 'default' || key === 'enum' ? member : moved(member, target, closed);
  }
  const isObjectSchema = [copy.type].flat().includes('object') && typeof copy.properties === 'object';
  return closed && isObjectSchema && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}
