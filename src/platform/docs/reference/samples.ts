import { snakeCase } from '../../../kit/internal.js';
import type { ReferenceOperation } from './model.js';
import type { SampleRequest } from './sample-request.js';

/** The languages of samples, in the order in which they are offered. */
export const LANGUAGES = { curl: 'curl', ts: 'TypeScript', py: 'Python', mcp: 'MCP' } as const;

export type Language = keyof typeof LANGUAGES;

/** A longer literal has one member per line. */
const LONGEST = 40;

const ENVIRONMENT = 'WORK_SUITE_KEY';

/** A request in each language. Programs take the key from the environment. */
export function samplesOf(operation: ReferenceOperation, request: SampleRequest, baseUrl: string): Partial<Record<Language, string>> {
  if (operation.permissions !== null) return { curl: curlOf(operation, request, baseUrl) };
  return {
    curl: curlOf(operation, request, baseUrl),
    ts: typeScriptOf(operation, request, baseUrl),
    py: pythonOf(operation, request, baseUrl),
    ...(operation.isTool && { mcp: mcpOf(operation, request) }),
  };
}

function addressOf({ path }: ReferenceOperation, request: SampleRequest): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.path[name]));
}

function curlOf(operation: ReferenceOperation, request: SampleRequest, baseUrl: string): string {
  const { method } = operation;
  const query = new URLSearchParams(request.query).toString();
  const url = `${baseUrl}${addressOf(operation, request)}${query && `?${query}`}`;
  const { body } = request;
  return [
    `curl -sS${method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`} '${url}'`,
    ...(operation.permissions === null
      ? [`-H "Authorization: Bearer $${ENVIRONMENT}"`]
      : [`-b "svc_session=$SVC_SESSION"`, ...(method === 'GET' ? [] : [`-H "X-CSRF-Token: $CSRF_TOKEN"`])]),
    ...(body ? [`-H 'Content-Type: ${body.type}'`, ...dataOf(body)] : []),
  ].join(' \\\n  ');
}

function dataOf({ type, value }: NonNullable<SampleRequest['body']>): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  if (type === 'application/json') return [`-d ${quoted(JSON.stringify(value, null, 2))}`];
  return type.startsWith('text/') ? [`--data-binary ${quoted(String(value))}`] : [`--data-binary @file`];
}

function typeScriptOf({ methods, parameters }: ReferenceOperation, request: SampleRequest, baseUrl: string): string {
  const [{ place, runtime, pathParameters }] = methods;
  const { module, resource, method } = place;
  const target = `suite.${module}.${resource === null ? '' : `${resource}.`}${method}`;
  const query = Object.fromEntries(
    Object.entries(request.query).map(([name, value]) => {
      const { schema } = parameters.query.find((parameter) => parameter.name === name)!;
      const kinds = [schema.type].flat();
      return [name, kinds.includes('integer') || kinds.includes('number') ? Number(value) : value];
    }),
  );
  const hasQuery = runtime.query === true && Object.keys(query).length > 0;
  const args = [
    ...pathParameters.map(({ name }) => `'${request.path[name]}'`),
    ...(request.body && (hasMembers(request.body.value) || hasQuery) ? [literal(request.body.value)] : []),
    ...(hasQuery ? [literal(query)] : []),
  ].join(', ');
  const call = `${target}(${args})`;
  return [
    `import { WorkSuite } from 'work-suite-client';`,
    '',
    `const suite = new WorkSuite({`,
    `  baseUrl: '${baseUrl}',`,
    `  key: process.env.${ENVIRONMENT},`,
    `});`,
    '',
    ...(runtime.list
      ? [`for await (const item of ${call}) console.log(item);`]
      : [`const result = await ${call};`, 'console.log(result);']),
  ].join('\n');
}

function hasMembers(value: unknown): boolean {
  return typeof value !== 'object' || Object.keys(value ?? {}).length > 0;
}

/** A value as a literal of TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, member]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`}: ${literal(member, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  return line.length <= LONGEST && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

function pythonOf(operation: ReferenceOperation, request: SampleRequest, baseUrl: string): string {
  const { method } = operation;
  const { body, query } = request;
  const headers = [
    `"Authorization": f"Bearer {os.environ['${ENVIRONMENT}']}"`,
    ...(body && body.type !== 'application/json' ? [`"Content-Type": "${body.type}"`] : []),
  ];
  const isFile = body !== null && body.type !== 'application/json' && !body.type.startsWith('text/');
  const data = isFile ? 'open("file", "rb")' : body && python(String(body.value));
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${baseUrl}${addressOf(operation, request)}",`,
    ...(Object.keys(query).length > 0 ? [`    params=${python(query, '    ')},`] : []),
    `    headers={${headers.join(', ')}},`,
    ...(body ? [body.type === 'application/json' ? `    json=${python(body.value, '    ')},` : `    data=${data},`] : []),
    ')',
    'response.raise_for_status()',
    operation.answers.some(({ type, schema }) => type === 'application/json' && schema !== null)
      ? 'print(response.json())'
      : 'print(response.status_code)',
  ].join('\n');
}

/** A value as a literal of Python. */
function python(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => python(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${python(member, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  return line.length <= LONGEST && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** A tool takes what the request sends as arguments of one object; their values have the types of JSON. */
function mcpOf({ id, parameters }: ReferenceOperation, { path, query, body }: SampleRequest): string {
  const typed = Object.entries(query).map(([name, value]) => {
    const { schema } = parameters.query.find((parameter) => parameter.name === name)!;
    const kinds = [schema.type].flat();
    if (kinds.includes('array')) return [name, value.split(',')];
    if (kinds.includes('boolean')) return [name, value === 'true'];
    return [name, kinds.includes('integer') || kinds.includes('number') ? Number(value) : value];
  });
  const inPath = Object.entries(path).map(([name, value]) => [snakeCase(name), value]);
  const members = body === null ? {} : body.type === 'application/json' ? (body.value as object) : { body: body.value };
  return JSON.stringify(
    { method: 'tools/call', params: { name: id, arguments: { ...Object.fromEntries([...inPath, ...typed]), ...members } } },
    null,
    2,
  );
}
