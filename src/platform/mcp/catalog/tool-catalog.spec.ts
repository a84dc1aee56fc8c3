import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { measureModules } from '../../../../test/contract/tool-budget.js';
import { fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import type { Json } from '../protocol/protocol.js';
import { buildCatalog, descriptionFor, type CatalogTool } from './tool-catalog.js';

const catalog = buildCatalog(fixtureDocument);
const tool = (name: string): CatalogTool => catalog.byName.get(name) as CatalogTool;
const input = (name: string): Json => tool(name).definition.inputSchema as Json;
const property = (name: string, key: string): Json => (input(name)['properties'] as Record<string, Json>)[key] as Json;

function changed(change: (document: Json) => void): OpenAPIObject {
  const copy = structuredClone(fixtureDocument);
  change(copy as unknown as Json);
  return copy;
}
type Paths = Record<string, Record<string, Json>>;

describe('buildCatalog', () => {
  it('creates a tool for every keyed operation, by module and in the order of the document', () => {
    expect(catalog.tools.map(({ name }) => name)).toEqual([
      'list_notes',
      'create_note',
      'get_note',
      'update_note',
      'delete_note',
      'list_labels',
      'replace_labels',
      'export_labels',
      'mail_labels',
    ]);
    expect(catalog.modules).toEqual(['notes', 'labels']);
    expect(tool('create_note')).toMatchObject({ module: 'notes', scopes: ['notes:note:write'], title: 'Create a note', readOnly: false });
  });

  it('describes what to look up first, and that a tool is deprecated', () => {
    expect(tool('create_note').description).toBe('Create a note.');
    expect(tool('list_notes').description).toBe('List notes. Newest first.');
    expect(tool('update_note').description).toMatch(/^Deprecated: Change a note\..* Ids from list_notes\.$/);
  });

  it('names only look-ups whose answers contain ids of that kind', () => {
    const ids = (properties: Json) =>
      changed(({ components }) => {
        const { schemas } = components as { schemas: Record<string, { properties: Json }> };
        Object.assign(schemas['CreateNote']?.properties as Json, properties);
        Object.assign(schemas['Note']?.properties as Json, {
          pages: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        });
      });
    const hint = (properties: Json) => buildCatalog(ids(properties)).byName.get('create_note')?.description;
    const id = (description: string): Json => ({ type: 'string', description });
    const rows = { type: 'array', items: { type: 'object', properties: { place_id: id('A place.') } } };
    expect(hint({ rows })).toBe('Create a note.');
    expect(hint({ from_note_id: id('A note.') })).toBe('Create a note. Ids from list_notes.');
    expect(hint({ owner_id: id('From list_notes.') })).toBe('Create a note. Ids from list_notes.');
    expect(hint({ owner_id: id('From export_labels.') })).toBe('Create a note.');
    expect(hint({ page_id: id('A page.') })).toBe('Create a note. Ids from get_note.');
  });

  it('tells a key without a member which tools need one', () => {
    const { byName } = buildCatalog(
      changed(({ paths }) => Object.assign((paths as Paths)['/api/v1/ext/notes']?.['post'] as Json, { 'x-requires-actor': true })),
    );
    const visible = new Set(byName.keys());
    const told = (name: string, hasMember: boolean) => descriptionFor(byName.get(name)!, { visible, hasMember });
    expect(told('create_note', true)).toBe('Create a note.');
    expect(told('create_note', false)).toBe('Create a note. This key has no member, so the call fails.');
    expect(told('list_notes', false)).not.toContain('member');
  });

  it('sets all four annotations', () => {
    const annotations = (name: string): unknown => tool(name).definition.annotations;
    const hints = { destructiveHint: false, openWorldHint: false };
    expect(annotations('list_notes')).toEqual({ ...hints, readOnlyHint: true, idempotentHint: true });
    expect(annotations('create_note')).toEqual({ ...hints, readOnlyHint: false, idempotentHint: false });
    expect(annotations('delete_note')).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false });
    expect(annotations('replace_labels')).toMatchObject({ destructiveHint: true, idempotentHint: true });
    expect(annotations('mail_labels')).toMatchObject({ openWorldHint: true });
  });

  it('merges path, query, body and header inputs into one closed object', () => {
    expect(Object.keys(input('update_note')['properties'] as Json)).toEqual(['note_id', 'idempotency_key', 'if_match', 'text', 'clear']);
    expect(property('update_note', 'clear')).toMatchObject({ type: 'array', items: { type: 'string', enum: ['text'] } });
    expect(input('update_note')).toMatchObject({ type: 'object', required: ['note_id'], additionalProperties: false });
    expect(input('create_note')['required']).toEqual(['text']);
    expect(Object.keys(input('create_note')['properties'] as Json)).not.toContain('id');
    expect(property('replace_labels', 'body')).toEqual({ type: 'array', items: { type: 'string' }, description: 'All labels.' });
  });

  it('inlines references, cuts cycles, closes nested objects and uses JSON Schema 2020-12', () => {
    expect(property('create_note', 'place')).toEqual({
      type: 'object',
      description: 'Where it was written.',
      properties: {
        city: { type: 'string', description: 'The city.' },
        within: { type: 'object', description: 'The larger place.' },
      },
      additionalProperties: false,
    });
    expect(property('create_note', 'custom_fields')).toMatchObject({ additionalProperties: true });
    expect(property('update_note', 'text')).toEqual({ type: 'string', description: 'The text.' });
    expect(tool('get_note').definition.outputSchema).toHaveProperty('properties.text', { type: ['string', 'null'] });
    expect(JSON.stringify(catalog.tools.map(({ definition }) => definition))).not.toMatch(/\$ref|nullable|"example"/);
  });

  it('has schemas that compile in strict mode; the root of an input is never a union', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, formats: { uuid: true } });
    for (const { definition } of catalog.tools) {
      expect(() => ajv.compile(definition.inputSchema)).not.toThrow();
      if (definition.outputSchema) expect(() => ajv.compile(definition.outputSchema as Json)).not.toThrow();
      expect(definition.inputSchema).not.toHaveProperty('anyOf');
      expect(definition.inputSchema).not.toHaveProperty('oneOf');
      expect(definition.inputSchema).not.toHaveProperty('allOf');
    }
  });

  it("accepts in an output schema the route's response and the error envelope", () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(tool('get_note').definition.outputSchema as Json);
    expect(validate({ object: 'note', id: '1', text: null })).toBe(true);
    expect(validate({ error: { code: 'not_found' } })).toBe(true);
    expect(validate({ object: 'note', version: 'first' })).toBe(false);
  });

  it('has output schemas with types, of records first', () => {
    expect(JSON.parse(tool('get_note').output?.json ?? '')).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: ['string', 'null'] } },
    });
    const ranks = ['get_note', 'list_notes', 'update_note', 'export_labels'].map((name) => tool(name).output?.rank);
    expect(ranks).toEqual([0, 1, 3, undefined]);
  });

  it('has descriptions that stand alone, and lists no type in a list: Gemini rejects it', () => {
    const text = 'What the note says, in a few short sentences.';
    const alternatives = { anyOf: [{ oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] }, { type: 'null' }] };
    const document = changed(({ components }) => {
      const { schemas } = components as { schemas: Record<string, { properties: Json }> };
      Object.assign(schemas['CreateNote']?.properties as Json, { text: { ...alternatives, description: text } });
      schemas['UpdateNote'] = { properties: { text: { type: 'string', description: text } } };
    });
    const { byName } = buildCatalog(document);
    const listed = (name: string): Json => {
      const { inputSchema } = JSON.parse(byName.get(name)?.json ?? '{}') as { inputSchema: { properties: Json } };
      return inputSchema.properties['text'] as Json;
    };
    expect(listed('create_note')).toEqual({ anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }], description: text });
    expect(listed('update_note')).toEqual({ type: 'string', description: text });
  });

  it('lists every argument', () => {
    for (const { json, definition } of catalog.tools) {
      const { inputSchema } = JSON.parse(json) as { inputSchema: Json };
      expect(Object.keys(inputSchema['properties'] as Json)).toEqual(Object.keys(definition.inputSchema.properties as Json));
    }
  });

  it('has no output schema where a successful response is a file, and that of what was done where it is empty', () => {
    expect(tool('export_labels').definition.outputSchema).toBeUndefined();
    expect(tool('mail_labels').definition.outputSchema?.properties).toMatchObject({ done: { const: true } });
    expect(tool('delete_note').definition.outputSchema?.properties).toMatchObject({ deleted: { const: true } });
  });

  it('merges the alternatives of a body into one object', () => {
    const document = changed(({ paths }) => {
      const note = (name: string, required: string[]): Json => ({
        type: 'object',
        required,
        properties: { [name]: { type: 'string' }, text: { type: 'string' } },
      });
      const schema = { oneOf: [note('phone', ['phone', 'text']), note('email', ['email', 'text'])] };
      const post = (paths as Paths)['/api/v1/ext/notes']?.['post'] as Json;
      post['requestBody'] = { required: true, content: { 'application/json': { schema } } };
    });
    const schema = buildCatalog(document).byName.get('create_note')?.definition.inputSchema as Json;
    expect(Object.keys(schema['properties'] as Json)).toEqual(['idempotency_key', 'phone', 'text', 'email']);
    expect(schema['required']).toEqual(['text']);
  });

  it('fails the boot when two tools or two inputs have the same name, and names both routes', () => {
    const sameTool = changed(({ paths }) =>
      Object.assign((paths as Paths)['/api/v1/ext/labels']?.['get'] as Json, { operationId: 'list_notes' }),
    );
    expect(() => buildCatalog(sameTool)).toThrow('Two tools are named "list_notes": GET /api/v1/ext/notes and GET /api/v1/ext/labels');
    const sameInput = changed(({ components }) => {
      const { CreateNote } = (components as { schemas: Record<string, { properties: Json }> }).schemas;
      Object.assign(CreateNote?.properties as Json, { idempotency_key: { type: 'string' } });
    });
    expect(() => buildCatalog(sameInput)).toThrow(
      'Two inputs of POST /api/v1/ext/notes are named "idempotency_key": one in the header, one in the body',
    );
  });

  it('fails the boot for an invalid tool name', () => {
    const document = changed(({ paths }) =>
      Object.assign((paths as Paths)['/api/v1/ext/labels']?.['get'] as Json, { operationId: 'listLabels' }),
    );
    expect(() => buildCatalog(document)).toThrow('listLabels');
  });

  it('is measured for the tool budget', async () => {
    const [notes, labels] = await measureModules(catalog);
    expect(notes).toMatchObject({ module: 'notes', tools: 5, undescribed: [], notStrict: [], misnamed: [], missing: [] });
    expect(notes?.listings['legacy']).toBeLessThan(notes?.listings['output schemas'] as number);
    expect(labels?.undescribed).toEqual([]);
  });
});
