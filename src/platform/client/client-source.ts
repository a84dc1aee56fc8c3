import type { ApiDocument, Parameter } from './api-document.js';
import { methodsOf, type BodyType, type ClientMethod } from './client-operations.js';
import { operationsOf, placesOf } from './names.js';
import { comment, declarationOf, propertyName, schemaTypeName, typeOf } from './schema-types.js';

/** The generated files of a client, and its methods. */
export interface ClientSource {
  'index.js': string;
  'index.d.ts': string;
  'schemas.d.ts': string;
}

/** Generates the client for the operations of OpenAPI documents, which name equal schemas equally. `declarations`: src/client/types.ts. */
export function clientSource(documents: readonly ApiDocument[], declarations: string): ClientSource {
  const byDocument = documents.map((document) => {
    const operations = operationsOf(document);
    const places = placesOf(operations);
    return operations.flatMap((operation) => methodsOf(document, operation, places.get(operation)!));
  });
  const methods = byDocument.flat();
  const tree = treeOf(methods);
  const common = commonCodes(byDocument[0]);
  const events = documents.flatMap(({ webhooks }) => Object.values(webhooks ?? {}).map(({ post }) => bodySchemaName(post)));
  return {
    'index.js': javaScriptOf(tree),
    'index.d.ts': [
      `import type * as Api from './schemas.js';`,
      `export type * from './schemas.js';\n`,
      declarations,
      `${comment('The codes of errors that every call with a key can have.')}export type CommonErrorCode = ${literals(common)};\n`,
      comment('The events that webhooks deliver, told apart by `type`. A suite newer than this client can send further types.') +
        `export type WebhookEvent =\n${events.map((name) => `  | Api.${name}`).join('\n') || '  never'};\n`,
      `export declare const webhooks: Webhooks<WebhookEvent>;\n`,
      `${comment('A client of the suite.')}export declare class WorkSuite {`,
      indented(
        [
          `constructor(options: ClientOptions);`,
          `readonly webhooks: Webhooks<WebhookEvent>;`,
          `${comment('The address of the MCP endpoint, for agents that have the same key.')}mcpUrl(): string;`,
          ...membersOf(tree, common),
        ].join('\n'),
      ),
      `}\n`,
    ].join('\n'),
    'schemas.d.ts': schemasOf(documents, methods),
  };
}

/** Methods and, below their names, the methods of resources. */
interface Tree {
  [name: string]: ClientMethod | { tree: Tree };
}

function treeOf(methods: readonly ClientMethod[]): Tree {
  const root: Tree = {};
  const below = (tree: Tree, name: string) => ((tree[name] ??= { tree: {} }) as { tree: Tree }).tree;
  for (const method of methods) {
    const { module, resource, method: name } = method.place;
    const tree = below(root, module);
    (resource === null ? tree : below(tree, resource))[name] = method;
  }
  return root;
}

function javaScriptOf(tree: Tree): string {
  const table = (level: Tree): object =>
    Object.fromEntries(Object.entries(level).map(([name, entry]) => [name, 'tree' in entry ? table(entry.tree) : entry.runtime]));
  return [
    `import { suiteOf } from './runtime/index.js';`,
    `export { ConnectionError, SignatureError, TimeoutError, WorkSuiteError, webhooks } from './runtime/index.js';`,
    `export const WorkSuite = suiteOf(${JSON.stringify(table(tree))});\n`,
  ].join('\n');
}

function membersOf(tree: Tree, common: readonly string[]): string[] {
  return Object.entries(tree).map(([name, entry]) =>
    'tree' in entry
      ? `readonly ${propertyName(name)}: {\n${indented(membersOf(entry.tree, common).join('\n'))}\n};`
      : `${methodComment(entry)}readonly ${propertyName(name)}: ${methodType(entry, common)};`,
  );
}

function methodComment({ operation: { summary = '', description, deprecated }, route }: ClientMethod): string {
  return comment(`${summary}.`, description === summary ? '' : description, `\`${route}\``, deprecated ? '@deprecated' : '');
}

function methodType(method: ClientMethod, common: readonly string[]): string {
  const { body, query, returns, runtime, codes } = method;
  const options = runtime.match ? 'VersionedOptions' : runtime.key ? 'IdempotentOptions' : 'CallOptions';
  const args = [
    ...method.pathParameters.map(({ name, isId }) => `${name}: ${isId ? (runtime.match === 'object' ? 'VersionedRef' : 'Ref') : 'string'}`),
    ...(body ? [`body${body.required ? '' : '?'}: ${body.types.map(bodyType).join(' | ')}`] : []),
    ...(query ? [`query${query.required ? '' : '?'}: Api.${query.name}`] : []),
    `options?: ${options}`,
  ];
  const result = [...new Set(returns.map((schema) => (schema === 'file' ? 'Response' : typeOf(schema, 'Api.'))))].join(' | ') || 'void';
  const own = codes.filter((code) => !common.includes(code));
  const hasAllCommon = common.every((code) => codes.includes(code));
  const union = [hasAllCommon ? 'CommonErrorCode' : literals(common.filter((code) => codes.includes(code))), literals(own)];
  const kind = runtime.list ? 'ListMethod' : 'Method';
  return `${kind}<[${args.join(', ')}], ${result}, ${union.filter((part) => part !== 'never').join(' | ') || 'never'}>`;
}

function bodyType(type: BodyType): string {
  if ('schema' in type) return typeOf(type.schema, 'Api.');
  return type.upload === 'text' ? 'Upload | string' : 'Upload';
}

function literals(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ') || 'never';
}

function commonCodes(methods: readonly ClientMethod[]): string[] {
  const [first, ...others] = methods.map(({ codes }) => codes);
  return (first ?? []).filter((code) => others.every((codes) => codes.includes(code)));
}

function bodySchemaName({ requestBody }: ClientMethod['operation']): string {
  return typeOf(requestBody!.content['application/json'].schema);
}

function schemasOf(documents: readonly ApiDocument[], methods: readonly ClientMethod[]): string {
  const schemas = Object.entries(Object.assign({}, ...documents.map(({ components }) => components.schemas)) as object);
  const queries = new Map(
    methods.flatMap(({ query, operation, route }) => (query ? [[query.name, { ...query, operation, route }] as const] : [])),
  );
  return [
    `import type { CustomFieldValues } from './index.js';\n`,
    ...schemas.map(([name, schema]) => declarationOf(schemaTypeName(name), schema as object)),
    ...[...queries].map(
      ([name, { parameters, route }]) =>
        `${comment(`The query of \`${route}\`.`)}export interface ${name} {\n${indented(parameters.map(queryMember).join('\n'))}\n}\n`,
    ),
  ].join('\n');
}

function queryMember({ name, required, description, schema: given }: Parameter): string {
  // filters are not values: each takes several
  const { 'x-custom-fields': _filtered, ...schema } = given;
  // several values are separated by commas; one needs no list
  const type = schema.type === 'array' ? `${typeOf(schema.items ?? {})} | readonly (${typeOf(schema.items ?? {})})[]` : typeOf(schema);
  return `${comment(description)}${propertyName(name)}${required ? '' : '?'}: ${type};`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
