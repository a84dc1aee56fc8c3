import { expect, test } from '@jest/globals';
import type { ApiDocument, ApiOperation, Schema } from './api-document.js';
import { clientSource } from './client-source.js';
import { placesOf } from './names.js';
import { declarationOf, typeOf } from './schema-types.js';

const operation = (operationId: string, more: Partial<ApiOperation> = {}): ApiOperation => ({
  operationId,
  tags: ['pad'],
  responses: {},
  ...more,
});

/** The names of operations, given as `METHOD /path operation`. */
function namesOf(...routes: string[]): string[] {
  const operations = routes.map((route) => {
    const [method, path, id] = route.split(' ');
    return { method: method.toLowerCase(), path: `/api/v1${path}`, operation: operation(id) };
  });
  return [...placesOf(operations).values()].map(({ module, resource, method }) => [module, resource, method].filter(Boolean).join('.'));
}

test('methods are named after their paths and operations', () => {
  expect(
    namesOf(
      'POST /ext/pad/pad create_pad',
      'GET /ext/pad/notes list_pad_notes',
      'POST /ext/pad/notes/{id}/close close_note',
      'POST /ext/pad/notes/{id}/replies reply_to_note',
      'PUT /ext/pad/notes/{id}/copies/{sku} put_note_copy',
      'GET /ext/pad/side-categories list_side_categories',
      'GET /ext/pad/entry-statuses get_entry_status',
      'POST /ext/pad/log-entries/{id}/roll roll_pad_entry_key',
      'GET /ext/pad/log-entries list_entries',
      'GET /ext/pad/notes/pending list_pending_notes',
      'GET /ext/pad/reports/old-pages get_old_pages',
      'POST /ext/pad/print print_notes',
      'POST /webhooks/pads submit_pad',
      'GET /public/pads/{token} get_public_pad',
    ),
  ).toEqual([
    'pad.create',
    'pad.notes.list',
    'pad.notes.close',
    'pad.notes.reply',
    'pad.notes.putCopy',
    'pad.sideCategories.list',
    'pad.entryStatuses.get',
    'pad.logEntries.rollKey',
    'pad.logEntries.listEntries',
    'pad.notes.listPending',
    'pad.reports.getOldPages',
    'pad.printNotes',
    'pad.pads.submit',
    'public.pads.get',
  ]);
});

test('names that would clash, or mean something to JavaScript, are those of the operations', () => {
  const [first, second] = ['GET /ext/pad/notes list_notes', 'GET /ext/pad/notes/old list_all_notes'];
  expect(namesOf(first, second)).toEqual(['pad.notes.listNotes', 'pad.notes.listAllNotes']);
  expect(namesOf('POST /ext/pad/notes/{id}/then then_note')).toEqual(['pad.notes.thenNote']);
  expect(namesOf('GET /ext/webhooks/notes list_notes')).toEqual(['webhooksModule.notes.list']);
  expect(namesOf('POST /ext/pad/pad notes_pad', 'GET /ext/pad/notes list_notes')).toEqual(['pad.notesPad', 'pad.notes.list']);
});

test.each<[Schema, string]>([
  [{ type: ['string', 'null'], format: 'date-time' }, 'string | null'],
  [{ type: 'string', enum: ['a', "it's", null] }, `"a" | "it's" | null`],
  [{ type: 'array', items: { type: ['integer', 'null'] } }, '(number | null)[]'],
  [{ allOf: [{ $ref: '#/components/schemas/Note' }], description: 'The note.' }, 'Api.Note'],
  [{ anyOf: [{ $ref: '#/components/schemas/Error' }, { type: 'null' }] }, 'Api.ErrorBody | null'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, '{ [name: string]: boolean }'],
  [{ type: 'array', items: { type: 'string', format: 'binary' } }, 'Blob | readonly Blob[]'],
  [{}, 'unknown'],
])('the type of %j is %s', (schema, type) => {
  expect(typeOf(schema, 'Api.')).toBe(type);
});

test('comments and names cannot end the code that is around them', () => {
  const schema: Schema = {
    type: 'object',
    required: ['a-b'],
    properties: { 'a-b': { type: 'string', description: 'Of */ console.log(1)' } },
  };
  expect(declarationOf('Note', schema)).toBe('export interface Note {\n  /** Of *\\/ console.log(1) */\n  "a-b": string;\n}\n');
});

test('a call has the codes of its own responses, and a file has a method of its own', () => {
  const examples = (...codes: string[]) => ({
    content: {
      'application/json': { schema: {}, examples: Object.fromEntries(codes.map((code) => [code, { value: { error: { code } } }])) },
    },
  });
  const document: ApiDocument = {
    paths: {
      '/api/v1/ext/pad/notes/{id}': {
        get: operation('get_note', {
          parameters: [{ name: 'format', in: 'query', schema: { type: 'string', enum: ['json', 'pdf'] } }],
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } }, 'application/pdf': { schema: {} } } },
            404: examples('not_found'),
            429: examples('rate_limited'),
          },
        }),
        delete: operation('delete_note', { responses: { 204: {}, 429: examples('rate_limited') } }),
      },
    },
    components: { schemas: { Note: { type: 'object', properties: {} } } },
  };
  const source = clientSource([document], '');
  expect(source['index.d.ts'].match(/readonly \w+: Method<.*/g)).toEqual([
    "readonly get: Method<[id: Ref, options?: CallOptions], Api.Note, CommonErrorCode | 'not_found'>;",
    "readonly download: Method<[id: Ref, options?: CallOptions], Response, CommonErrorCode | 'not_found'>;",
    'readonly delete: Method<[id: Ref, options?: CallOptions], void, CommonErrorCode>;',
  ]);
  expect(source['index.js']).toContain('"file":{"accept":"application/pdf","query":{"format":"pdf"}}');
});
