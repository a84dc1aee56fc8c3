import { describe, expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { BUILT_IN } from '../../src/modules.js';
import { DEVELOPER } from '../../src/platform/keys/scope-catalog.js';
import { recordTree } from '../../src/platform/mcp/catalog/record-tree.js';
import { answerOf } from '../../src/platform/mcp/dispatch/answer.js';
import { ApiDocument, isEventStream, type Json, type Schema } from '../harness/api-document.js';
import { sharedApp } from '../harness/hosted-app.js';
import { modulesOfRun } from '../harness/module-list.js';
import { contractsOf } from './module-contract.js';
import { mismatches } from './tool-budget.js';
import { longRow, usualRow } from './usual-rows.js';

const PLANES = ['keyed', 'product', 'public'] as const;
const PATHS = { keyed: /^\/api\/v1\/(ext|webhooks)\//, product: /^\/api\/v1\/org\//, public: /^\/api\/v1\/public\// };
/** In bytes, of the platform and the modules of the suite. */
const MAX_SIZES = { keyed: 1_200_000, product: 2_200_000, public: 200_000 };
/** In bytes per operation of a module that was added; what operations share stands in `components`. */
const MAX_PER_OPERATION = 6_500;
const MAX_TOOLS = 40;
/** Of the whole response, in every era and with every option. */
const MAX_BYTES = 40 * 1024;
const MAX_DESCRIPTION_BYTES = 8 * 1024;
/** Of 25 rows of a list, as text and as structured content; rows in use are measured without the escapes of the text. */
const MAX_LIST_BYTES = 12 * 1024;

interface ErrorExample {
  code: string;
  message: string;
  doc_url: string;
}

const lengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Names of operations are links to them. */
const inWords = (text: string) => text.replace(/[`\s]+/g, ' ').replace(/ (?=[.,;:)])/g, '');

const plainText = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const app = await sharedApp();
const declared = app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts');
const { routes, modules } = await declared.declarations();
const ADDED = new Set((await modulesOfRun()).filter((module) => !BUILT_IN.includes(module)).map((module) => manifestOf(module).name));
const documents = {
  keyed: await ApiDocument.at(`${app.url}/openapi.json`),
  product: await ApiDocument.at(`${app.url}/openapi.org.json`),
  public: await ApiDocument.at(`${app.url}/openapi.public.json`),
};

test('the documents that the linters check are those that the application serves', async () => {
  const linted = await declared.lintedDocuments();
  for (const plane of PLANES) {
    const { source } = documents[plane];
    // only what runs knows its commit
    const info = { ...(source.info as Json), 'x-commit': undefined };
    expect(JSON.parse(linted[plane])).toEqual({ ...source, info });
  }
});

describe.each(PLANES)('the OpenAPI document of the %s plane', (plane) => {
  test(`has at most ${MAX_SIZES[plane].toLocaleString('en')} bytes`, () => {
    const bytes = Buffer.byteLength(JSON.stringify(documents[plane].source));
    const added = routes.filter(({ module, plane: of }) => of === plane && module !== null && ADDED.has(module));
    expect(bytes).toBeLessThanOrEqual(MAX_SIZES[plane] + added.length * MAX_PER_OPERATION);
  });

  test('describes every field, parameter and header', () => {
    const { source, operations } = documents[plane];
    const { schemas, headers } = source.components as Record<string, Record<string, Json>>;
    const undescribed = [
      ...Object.entries(schemas).flatMap(([name, schema]) => undescribedIn(schema, name)),
      ...Object.entries(headers)
        .filter(([, header]) => !header.description)
        .map(([name]) => name),
      ...operations.flatMap(({ id, source: { responses, parameters } }) => [
        ...Object.values(responses as Record<string, Json>).flatMap((response) => undescribedIn(schemaOf(response), id)),
        ...((parameters ?? []) as Json[]).filter((parameter) => !parameter.description).map(({ name }) => `${id} ${String(name)}`),
      ]),
    ];
    expect(undescribed).toEqual([]);
    expect(Object.keys(schemas).length).toBeGreaterThan(5);
    expect(Object.keys(schemas).filter((name) => /Dto/.test(name))).toEqual([]);
  });

  test('has a valid example of every request and response', () => {
    const faults: string[] = [];
    for (const { id, source } of documents[plane].operations) {
      const holders = [
        ['request', source.requestBody as Json | undefined],
        ...Object.entries(source.responses as Record<string, Json>),
      ] as const;
      for (const [what, holder] of holders) {
        const media = (holder?.content as Record<string, Json> | undefined)?.['application/json'];
        if (!media) continue;
        const named = Object.values((media.examples ?? {}) as Record<string, Json>).map(({ value }) => value);
        const composed = /^2/.test(what) ? documents[plane].example(media.schema as Schema) : media.example;
        const examples = named.length > 0 ? named : [composed];
        for (const example of examples) {
          const found = example === undefined ? ['no example'] : documents[plane].faults(media.schema as Schema, example);
          faults.push(...found.map((fault) => `${id} ${what}: ${fault}`));
        }
        if (examples.length === 0) faults.push(`${id} ${what}: no example`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('returns no text with a minimum length that a request may leave empty', () => {
    const api = documents[plane];
    const fieldsOf = (schema: Schema) => Object.entries((api.resolve(schema).properties ?? {}) as Record<string, Schema>);
    const leastLength = (schema: Schema) => Number(api.resolve(schema).minLength ?? 0);
    const isText = (schema: Schema) => [schema.type].flat().includes('string') && !schema.enum && !schema.format;
    const faults = api.operations.flatMap(({ id, body, source }) => {
      const responses = source.responses as Record<string, { content?: Record<string, { schema: Schema }> }>;
      const answer = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
      if (!body || !answer) return [];
      const answered = new Map(fieldsOf(answer));
      return fieldsOf(body)
        .filter(([name, schema]) => isText(api.resolve(schema)) && answered.has(name))
        .filter(([name, schema]) => leastLength(answered.get(name) as Schema) > leastLength(schema))
        .map(([name]) => `${id} ${name}`);
    });
    expect(faults).toEqual([]);
  });

  test('links every error of every route to its text', async () => {
    const page = await (await fetch(`${app.url}/docs/errors`)).text();
    const rowOf = new Map([...page.matchAll(/<tr id="([^"]+)">(.*?)<\/tr>/g)].map(([, anchor, row]) => [anchor, plainText(row)]));
    const faults: string[] = [];
    for (const { id, source } of documents[plane].operations) {
      const examples = Object.values(source.responses as Record<string, Json>).flatMap(({ content }) => {
        const media = (content as Record<string, Json> | undefined)?.['application/json'];
        return Object.values((media?.examples ?? {}) as Record<string, { value: { error?: ErrorExample } }>).flatMap(
          ({ value }) => value.error ?? [],
        );
      });
      const linked = examples.map(({ doc_url }) => rowOf.get(doc_url.split('#')[1]));
      faults.push(...examples.filter((_, at) => linked[at] === undefined).map(({ doc_url }) => `${id}: ${doc_url}`));
      for (const { code, message, status, description = message } of routes.find(({ operation }) => operation === id)!.errors) {
        const at = examples.findIndex((example) => example.code === code && example.message === message);
        const row = inWords(linked[at] ?? '');
        if (!row.includes(code) || !row.includes(String(status)) || !row.includes(inWords(description)))
          faults.push(`${id}: ${code} leads to "${row}"`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('has a valid example of every parameter', () => {
    const faults = documents[plane].operations.flatMap(({ id, source }) =>
      ((source.parameters ?? []) as (Json & { schema: Schema })[]).flatMap(({ name, schema, example }) => {
        const value = example ?? (schema.examples as unknown[] | undefined)?.[0];
        const found = value === undefined ? ['no example'] : documents[plane].faults(schema, value);
        return found.map((fault) => `${id} ${String(name)}: ${fault}`);
      }),
    );
    expect(faults).toEqual([]);
  });

  test('has a valid example of every header', () => {
    const { headers } = documents[plane].source.components as { headers: Record<string, { schema: Schema; example?: unknown }> };
    const faults = Object.entries(headers).flatMap(([name, { schema, example }]) => {
      const found = example === undefined ? ['no example'] : documents[plane].faults(schema, example);
      return found.map((fault) => `${name}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test('contains exactly the routes of the plane', () => {
    const expected = routes
      .filter(({ operation, path }) => operation && PATHS[plane].test(path))
      .map(({ operation, method, path }) => `${operation} ${method} ${path}`);
    expect(documents[plane].operations.map(({ id, method, path }) => `${id} ${method.toUpperCase()} ${path}`).sort()).toEqual(
      expected.sort(),
    );
  });
});

describe('the OpenAPI document for keys', () => {
  /** A stream of events is no result of a tool. */
  const tools = documents.keyed.operations.filter((operation) => operation.path.startsWith('/api/v1/ext/') && !isEventStream(operation));

  test('has no names that openapi-python-client makes equal, and enums of one type', () => {
    const python = (name: string) =>
      name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replace(/[^A-Za-z0-9]+/g, '_')
        .toLowerCase();
    const faults: string[] = [];
    const requireDistinct = (where: string, names: readonly string[]) =>
      faults.push(...names.filter((name, at) => names.indexOf(name) < at).map((name) => `${where}: ${name}`));
    const visit = (value: unknown, where: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { enum: values } = value as { enum?: unknown };
      if (Array.isArray(values)) {
        const given = values.filter((one) => one !== null) as unknown[];
        if (given.some((one) => typeof one !== 'string')) faults.push(`${where}: ${given.join(', ')}`);
        // what begins with no letter is numbered
        requireDistinct(
          where,
          given.map((one, at) => (/^[a-z]/i.test(String(one)) ? python(String(one).toUpperCase()) : `value_${at}`)),
        );
      }
      for (const [name, member] of Object.entries(value)) if (name !== 'example' && name !== 'examples') visit(member, `${where}/${name}`);
    };
    const { paths, components } = documents.keyed.source as { paths: Json; components: { schemas: Json } };
    visit({ paths, components }, '');
    requireDistinct('schemas', Object.keys(components.schemas).map(python));
    for (const { id, source } of documents.keyed.operations)
      requireDistinct(
        id,
        ((source.parameters ?? []) as { name: string }[]).map(({ name }) => python(name)),
      );
    expect(faults).toEqual([]);
  });

  test('declares the required scope of each operation', () => {
    const scopes = new Set(modules.flatMap((module) => Object.keys(module.scopes)));
    const wrong = documents.keyed.operations.filter(({ id, source }) => {
      const scope = routes.find(({ operation }) => operation === id)?.scope as string;
      return !scopes.has(scope) || JSON.stringify(source.security) !== JSON.stringify([{ apiKey: [scope] }]);
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('has one operation per MCP tool that a key with all scopes of a module is offered', async () => {
    const workspace = await app.workspace();
    const offered: string[] = [];
    for (const { name } of modules) {
      const { client } = await workspace.key({ module: name });
      const { body } = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      offered.push(...(body.result.tools as { name: string }[]).map((tool) => tool.name).filter((tool) => tool !== 'get_guide'));
    }
    expect(offered.sort()).toEqual(tools.map(({ id }) => id).sort());
  });

  test('has no tool whose description by describe_tool takes 8,192 bytes or more', async () => {
    const workspace = await app.workspace();
    const version = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'contract', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const large: string[] = [];
    for (const { name: module } of modules) {
      const { client } = await workspace.key({ module });
      for (const { id } of tools.filter(({ tag }) => tag === module)) {
        const { text, body } = await client.post(
          '/api/v1/ext/mcp?mode=search',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe_tool', arguments: { name: id }, _meta } },
          { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'describe_tool' },
        );
        if (!text.includes(`"name":"${id}"`)) large.push(`${id}: ${text}`);
        // of the two copies, a model reads one
        const bytes = Buffer.byteLength(JSON.stringify(body.result?.structuredContent ?? null));
        if (bytes >= MAX_DESCRIPTION_BYTES) large.push(`${id}: ${bytes} bytes`);
      }
    }
    expect(large).toEqual([]);
  });

  test(`answers 25 rows of a list, in both copies, within ${MAX_LIST_BYTES / 1024} KB, as rows are in use and longer`, async () => {
    const texts = await declared.toolTexts(documents.keyed.source);
    const sizes = tools.flatMap(({ id, method, source }) => {
      const schema = documents.keyed.resolve(schemaOf((source.responses as Record<string, Json>)['200'] ?? {}));
      const { data } = (schema.properties ?? {}) as { data?: Schema };
      if (method !== 'get' || data?.type !== 'array') return [];
      const page = documents.keyed.example(schema) as { data: Json[] };
      const summary = (data['x-summary'] ?? []) as string[];
      const hasProject = 'project_id' in ((documents.keyed.resolve(data.items as Schema).properties ?? {}) as Json);
      const records = hasProject ? recordTree({ properties: { data: { items: { properties: { project_id: {} } } } } }) : undefined;
      const answer = (row: Json) =>
        answerOf({ ...page, data: Array<Json>(25).fill(row) }, { summary, texts: new Set(texts[id]), projectKeys: () => 'ENG', records });
      const resultOf = (shown: Json) => ({ content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: shown });
      const usual = answer(usualRow(documents.keyed, data.items as Schema));
      const long = answer(longRow(documents.keyed, data.items as Schema, texts[id]));
      // inside of the result, the text is a JSON string: its quotes are escaped
      const sent = Math.max(...[answer(page.data[0]), long].map((shown) => lengthOf(resultOf(shown))));
      const lost = ((usual['omitted'] ?? []) as string[]).filter(
        (name) => !summary.some((path) => path.endsWith('?') && path.replace('?', '').split('.')[0] === name),
      );
      return [{ id, sent, lost, usual: 2 * lengthOf({ ...usual, has_more: true, next_cursor: 'x'.repeat(120) }) }];
    });
    expect(sizes.length).toBeGreaterThan(50);
    const mend = 'give summary: true to the fields that a list needs, see src/kit/README.md, "What a list shows agents"';
    expect(sizes.filter(({ lost }) => lost.length > 0).map(({ id, lost }) => `${id} lacks ${lost.join()}`)).toEqual([]);
    const faults = sizes.filter(({ sent, usual }) => Math.max(sent, usual) > MAX_LIST_BYTES);
    expect(faults.map(({ id, sent, usual }) => `${id} has ${Math.max(sent, usual)} bytes: ${mend}`)).toEqual([]);
  });

  test('has tools whose answers match the output schemas with which they are listed and described', async () => {
    const outputs = await declared.toolOutputs(documents.keyed.source);
    const faults = tools.flatMap(({ id, source }) => {
      const responses = Object.entries(source.responses as Record<string, Json>);
      const [, success = {}] = responses.find(([status]) => /^2/.test(status)) ?? [];
      const answer = success.content ? documents.keyed.example(schemaOf(success)) : { deleted: true, id: '1' };
      return outputs[id].flatMap((output) => mismatches(output as Json, answer, id));
    });
    expect(Object.values(outputs).flat().length).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  });

  const sizes = `${MAX_BYTES / 1024} KB in every era and option, each description within ${MAX_DESCRIPTION_BYTES / 1024} KB`;
  test(`lists at most ${MAX_TOOLS} tools per module and ${sizes}, describes every argument, has nothing providers refuse`, async () => {
    for (const { tools, listings, largestDescription, ...faults } of await declared.toolMeasures(documents.keyed.source)) {
      const large = Object.entries(listings).filter(([, bytes]) => bytes > MAX_BYTES);
      const measured = { ...faults, large, fits: tools <= MAX_TOOLS && largestDescription < MAX_DESCRIPTION_BYTES };
      const none = { undescribed: [], refused: [], notStrict: [], misnamed: [], missing: [], large: [] };
      expect(Object.keys(listings)).toHaveLength(12);
      expect(measured).toEqual({ module: faults.module, ...none, fits: true });
    }
  });
});

// Of the 60 questions. A new tool may take the place of another once or twice, but the figures may not fall further. Words of a module's
// agentWords help, as long as they are what users say.
test.each([
  ['one module', 1, 6],
  ['one module', 5, 1],
  ['all modules', 1, 12],
  ['all modules', 5, 2],
] as const)('search_tools answers plain questions: for %s, among the first %d, all but %d', async (sees, limit, allowed) => {
  const unanswered = await declared.unanswered(documents.keyed.source, limit, sees);
  expect({ unanswered, fits: unanswered.length <= allowed }).toEqual({ unanswered, fits: true });
});

test('tools that delete, replace or end what exists are destructive; those that reach people outside or a model are open', async () => {
  const hints = await declared.toolHints(documents.keyed.source);
  const having = (hint: string) => Object.keys(hints).filter((name) => hints[name][hint]);
  const replacing = documents.keyed.operations.filter(({ method }) => /^(put|delete)$/i.test(method)).map(({ id }) => id);
  expect(replacing.length).toBeGreaterThan(0);
  const contracts = [...(await contractsOf(modules)).values()];
  const ending = contracts.flatMap(({ destructive = [] }) => destructive);
  const ofPlatform = ['roll_developer_endpoint_secret'];
  expect(having('destructiveHint').sort()).toEqual([...replacing, ...ending, ...ofPlatform].sort());
  expect(having('openWorldHint').sort()).toEqual(contracts.flatMap(({ openWorld = [] }) => openWorld).sort());
});

test('a key that asks does so before exactly the tools, and with exactly the scopes, that are marked', async () => {
  const hints = await declared.toolHints(documents.keyed.source);
  const asking = documents.keyed.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Svc-Plan-Token'));
  const marked = Object.keys(hints).filter((name) => hints[name]['destructiveHint'] || hints[name]['openWorldHint']);
  expect(asking.map(({ id }) => id).sort()).toEqual(marked.sort());
  const scopes = asking.map(({ source }) => (source.security as { apiKey: string[] }[])[0].apiKey[0]);
  // no app can be given those of the developer area
  const offered = [...new Set(scopes)].filter((scope) => !scope.startsWith(`${DEVELOPER}:`));
  expect(offered.sort()).toEqual((await declared.markedScopes()).sort());
});

test('a merge patch describes no defaults, because absent fields stay unchanged', () => {
  const isDefault = (property: Schema) =>
    'default' in property || /\bdefaults? (to|when)\b|when omitted/i.test(String(property.description));
  const wrong = documents.keyed.operations
    .filter(({ method, body }) => /^patch$/i.test(method) && body)
    .flatMap(({ id, body }) => {
      const properties = (documents.keyed.resolve(body as Schema).properties ?? {}) as Record<string, Schema>;
      return Object.keys(properties)
        .filter((name) => isDefault(properties[name]))
        .map((name) => `${id}.${name}`);
    });
  expect(wrong).toEqual([]);
});

test('every q says what it searches', () => {
  const searches = documents.keyed.operations.flatMap(({ id, source }) =>
    ((source.parameters ?? []) as Json[]).filter(({ name }) => name === 'q').map(({ description }) => `${id}: ${String(description)}`),
  );
  expect(searches.length).toBeGreaterThanOrEqual(5);
  expect(searches.filter((search) => !/: Words to find in (?!the text;)/.test(search))).toEqual([]);
});

function schemaOf(response: Json): Schema {
  return ((response.content as Record<string, Json> | undefined)?.['application/json']?.schema ?? {}) as Schema;
}

function undescribedIn(schema: Schema, path: string): string[] {
  const inner = [schema.items, ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Schema[])].filter(
    Boolean,
  ) as Schema[];
  return [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${path}.${name}`]),
      ...undescribedIn(property, `${path}.${name}`),
    ]),
    ...inner.flatMap((part) => undescribedIn(part, path)),
  ];
}
