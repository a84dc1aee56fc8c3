import type { OpenAPIObject } from '@nestjs/swagger';

const json = (schema: object): object => ({ 'application/json': { schema } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const keyed = (...scopes: string[]): object => ({ security: [{ apiKey: scopes }] });
const noteId = { name: 'note_id', in: 'path', required: true, description: 'The note.', schema: { type: 'string', format: 'uuid' } };
const idempotencyKey = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } };
const ifMatch = { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } };

/** Two small modules that cover every schema construct that the tool catalog supports. */
export const fixtureDocument = {
  openapi: '3.0.0',
  info: { title: 'Fixture', version: '1' },
  paths: {
    '/api/v1/ext/notes': {
      get: {
        operationId: 'list_notes',
        summary: 'List notes',
        description: 'Newest first.',
        ...keyed('notes:note:read'),
        'x-lookup': true,
        parameters: [
          { name: 'limit', in: 'query', description: 'How many.', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
          {
            name: 'label',
            in: 'query',
            description: 'Any of these labels.',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'state',
            in: 'query',
            description: 'Any of these states.',
            schema: { type: 'array', items: { type: 'string', enum: ['open', 'done'] } },
          },
        ],
        responses: { 200: { description: 'ok', content: json(ref('NoteList')) } },
      },
      post: {
        operationId: 'create_note',
        summary: 'Create a note',
        ...keyed('notes:note:write'),
        parameters: [idempotencyKey],
        requestBody: { required: true, content: json(ref('CreateNote')) },
        responses: { 201: { description: 'created', content: json(ref('Note')) } },
      },
    },
    '/api/v1/ext/notes/{note_id}': {
      parameters: [noteId],
      get: {
        operationId: 'get_note',
        summary: 'Get a note',
        ...keyed('notes:note:read'),
        responses: { 200: { description: 'ok', content: json(ref('Note')) } },
      },
      patch: {
        operationId: 'update_note',
        summary: 'Change a note',
        ...keyed('notes:note:write'),
        deprecated: true,
        parameters: [idempotencyKey, ifMatch],
        requestBody: { required: true, content: { 'application/merge-patch+json': { schema: ref('UpdateNote') } } },
        responses: { 200: { description: 'ok', content: json(ref('Note')) } },
      },
      delete: {
        operationId: 'delete_note',
        summary: 'Delete a note',
        ...keyed('notes:note:write'),
        responses: { 204: { description: 'gone' } },
      },
    },
    '/api/v1/ext/labels': {
      get: {
        operationId: 'list_labels',
        summary: 'List labels',
        ...keyed('labels:label:read'),
        'x-lookup': true,
        responses: { 200: { description: 'ok', content: json({ type: 'object', additionalProperties: true }) } },
      },
      put: {
        operationId: 'replace_labels',
        summary: 'Replace all labels',
        ...keyed('labels:label:write'),
        requestBody: { required: true, description: 'All labels.', content: json({ type: 'array', items: { type: 'string' } }) },
        responses: { 200: { description: 'ok', content: json({ type: 'object' }) } },
      },
    },
    '/api/v1/ext/labels/export': {
      get: {
        operationId: 'export_labels',
        summary: 'Export the labels as CSV',
        ...keyed('labels:label:read'),
        responses: { 200: { description: 'ok', content: { 'text/csv': { schema: { type: 'string' } } } } },
      },
    },
    '/api/v1/ext/labels/mail': {
      post: {
        operationId: 'mail_labels',
        summary: 'Mail the labels',
        ...keyed('labels:label:write'),
        'x-open-world': true,
        responses: { 202: { description: 'sent' } },
      },
    },
    '/healthz': { get: { operationId: 'health', responses: { 200: { description: 'ok' } } } },
  },
  components: {
    schemas: {
      Place: {
        type: 'object',
        description: 'Where it was written.',
        properties: {
          city: { type: 'string', description: 'The city.', example: 'Oslo' },
          within: { description: 'The larger place.', allOf: [ref('Place')] },
        },
      },
      CreateNote: {
        type: 'object',
        required: ['text'],
        properties: {
          id: { type: 'string', readOnly: true, description: 'Set by the server.' },
          text: { type: 'string', description: 'The text.', maxLength: 1000 },
          labels: { type: 'array', description: 'Its labels.', items: { type: 'string' } },
          place: { ...ref('Place'), nullable: true },
          custom_fields: { type: 'object', description: 'Your own fields.', additionalProperties: true },
        },
      },
      UpdateNote: { allOf: [{ type: 'object', properties: { text: { type: 'string', description: 'The text.', nullable: true } } }] },
      Note: {
        type: 'object',
        required: ['object', 'id', 'text'],
        properties: {
          object: { type: 'string', enum: ['note'], description: 'Always note.' },
          id: { type: 'string', description: 'Its id.' },
          text: { type: 'string', nullable: true, description: 'The text.' },
          version: { type: 'integer', minimum: 0, exclusiveMinimum: true, description: 'Counts changes.' },
        },
      },
      NoteList: {
        type: 'object',
        required: ['object', 'data', 'has_more', 'next_cursor'],
        properties: {
          object: { type: 'string', enum: ['list'], description: 'Always list.' },
          data: { type: 'array', items: ref('Note'), description: 'The notes.' },
          has_more: { type: 'boolean', description: 'Whether another page follows.' },
          next_cursor: { type: 'string', nullable: true, description: 'Its cursor.' },
        },
      },
    },
  },
} as unknown as OpenAPIObject;

export const fixtureGuides = [
  { module: 'notes', title: 'Notes', text: '# Notes\n\nList notes, then read, change or delete one.\n' },
  { module: 'labels', title: 'Labels', text: '# Labels\n\nList labels before you replace them.\n' },
];

export const FIXTURE_SCOPES = ['notes:note:read', 'notes:note:write', 'labels:label:read', 'labels:label:write'];
