import type { Operation } from '../../client/operation.js';
import { resolved, type ApiDocument, type ApiOperation, type ApiResponse, type Parameter, type Schema } from './api-document.js';
import type { NamedOperation, Place } from './names.js';
import { pascalCase } from '../../kit/internal.js';

/** An operation as a method of the client. */
export interface ClientMethod {
  place: Place;
  operation: ApiOperation;
  route: string;
  pathParameters: { name: string; isId: boolean }[];
  query: { name: string; required: boolean; parameters: Parameter[] } | null;
  body: { types: readonly BodyType[]; required: boolean } | null;
  /** Of the answer; empty if there is none. A file is a Response. */
  returns: readonly (Schema | 'file')[];
  codes: readonly string[];
  runtime: Operation;
}

export type BodyType = { schema: Schema } | { upload: 'text' | 'binary' };

/** The methods of an operation. One that returns JSON or a file has a second one, which downloads the file. */
export function methodsOf(document: ApiDocument, named: NamedOperation, place: Place): ClientMethod[] {
  const { json, files } = successesOf(document, named.operation);
  if (files.length === 0) return [methodOf(document, named, place, json, null)];
  if (json.length === 0) return [methodOf(document, named, place, [], { types: files, isOnlyForm: true })];
  const download = { ...place, method: place.method.replace(/^[a-z]+/, 'download') };
  return [
    methodOf(document, named, place, json, { types: [], isOnlyForm: false }),
    methodOf(document, named, download, [], { types: files, isOnlyForm: false }),
  ];
}

/** The forms of an answer: with `isOnlyForm` the caller chooses among them, otherwise the method has done so. */
interface Forms {
  types: readonly string[];
  isOnlyForm: boolean;
}

function methodOf(
  document: ApiDocument,
  { method, path, operation }: NamedOperation,
  place: Place,
  json: readonly Schema[],
  forms: Forms | null,
): ClientMethod {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const format = parameters.find(({ name, in: where }) => name === 'format' && where === 'query');
  const query = parameters.filter((parameter) => parameter.in === 'query' && (parameter !== format || forms?.isOnlyForm !== false));
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  // a task's id, for example, may also be its key, so the format does not tell
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, isId: /id$/i.test(name) }));
  const body = bodyOf(operation);
  const isFile = forms !== null && forms.types.length > 0;
  const chosen = format?.schema.enum?.find(
    (value) => !forms?.isOnlyForm && forms?.types.some((type) => type.endsWith(`/${String(value)}`)),
  );
  // of several ids, the last is the object that changes if the path ends with it
  const matchesObject = pathParameters.length === 1 ? pathParameters[0].isId : path.endsWith('}') && pathParameters.at(-1)?.isId;
  return {
    place,
    operation,
    route: `${method.toUpperCase()} ${path}`,
    pathParameters,
    query:
      query.length > 0
        ? { name: `${pascalCase(operation.operationId)}Query`, required: query.some(({ required }) => required), parameters: query }
        : null,
    body: body && { types: body.types, required: method !== 'post' || body.types.some((type) => needsMembers(document, type)) },
    returns: isFile ? ['file'] : json,
    codes: codesOf(document, operation),
    runtime: {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      ...(body && { body: body.runtime }),
      ...(query.length > 0 && { query: true }),
      ...(headers.includes('Idempotency-Key') && { key: true }),
      ...(headers.includes('If-Match') && { match: matchesObject ? 'object' : 'option' }),
      ...(!isFile && json.some((schema) => isPage(document, schema)) && query.some(({ name }) => name === 'cursor') && { list: true }),
      ...(isFile && { file: { accept: forms.types.join(', '), ...(chosen !== undefined && { query: { format: String(chosen) } }) } }),
    },
  };
}

function bodyOf({ requestBody }: ApiOperation): { types: BodyType[]; runtime: NonNullable<Operation['body']> } | null {
  if (!requestBody) return null;
  const { 'application/json': json, 'multipart/form-data': form, ...others } = requestBody.content;
  // the type of the form is that of the JSON body with files
  const schema = form?.schema ?? json?.schema;
  const [raw] = Object.keys(others);
  return {
    types: [
      ...(schema ? [{ schema }] : []),
      ...(raw === undefined ? [] : [{ upload: raw.startsWith('text/') ? ('text' as const) : ('binary' as const) }]),
    ],
    runtime: { ...(json && { json: true }), ...(form && { form: true }), ...(raw !== undefined && { raw }) },
  };
}

/** Whether an empty object would not do. */
function needsMembers(document: ApiDocument, type: BodyType): boolean {
  if (!('schema' in type)) return true;
  const { type: kind, required = [], allOf = [] } = resolved<Schema>(document, type.schema);
  return required.length > 0 || (kind !== 'object' && allOf.length === 0) || allOf.some((schema) => needsMembers(document, { schema }));
}

function successesOf(document: ApiDocument, { responses }: ApiOperation): { json: Schema[]; files: string[] } {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.entries(resolved<ApiResponse>(document, response).content ?? {}));
  const isJson = ([type]: [string, unknown]) => type === 'application/json';
  return {
    json: contents.filter(isJson).map(([, { schema }]) => schema),
    files: [...new Set(contents.filter((content) => !isJson(content)).map(([type]) => type))],
  };
}

function isPage(document: ApiDocument, schema: Schema): boolean {
  const { properties } = resolved<Schema>(document, schema);
  return ['data', 'has_more', 'next_cursor'].every((name) => properties?.[name] !== undefined);
}

function codesOf(document: ApiDocument, { responses }: ApiOperation): string[] {
  const codes = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, response]) => Object.values(resolved<ApiResponse>(document, response).content?.['application/json']?.examples ?? {}))
    .map((example) => (resolved<{ value: unknown }>(document, example).value as { error: { code: string } }).error.code);
  return [...new Set(codes)].sort();
}
