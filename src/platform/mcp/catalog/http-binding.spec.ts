import { describe, expect, it } from '@jest/globals';
import { fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import { toHttpRequest, type HttpBinding, type HttpRequest } from './http-binding.js';
import type { Json } from '../protocol/protocol.js';
import { buildCatalogue } from './tool-catalog.js';

const catalogue = buildCatalogue(fixtureDocument);
const request = (tool: string, args: Json): HttpRequest => toHttpRequest(catalogue.byName.get(tool)?.binding as HttpBinding, args);

describe('toHttpRequest', () => {
  it('puts every argument where its operation wants it', () => {
    expect(request('update_note', { note_id: 'a/b', idempotency_key: 'k 1', if_match: 3, text: null })).toEqual({
      method: 'PATCH',
      url: '/api/v1/ext/notes/a%2Fb',
      headers: { 'idempotency-key': 'k 1', 'if-match': '"3"', 'content-type': 'application/merge-patch+json' },
      body: '{"text":null}',
    });
    expect(request('list_notes', { limit: 5, label: ['a', 'b c'], state: ['open', 'done'] }).url).toBe(
      '/api/v1/ext/notes?limit=5&label=a%2Cb%20c&state=open&state=done',
    );
    expect(request('replace_labels', { body: ['x'] })).toMatchObject({ body: '["x"]', headers: { 'content-type': 'application/json' } });
  });

  it('sends the body a route requires even when no argument fills it', () => {
    expect(request('create_note', {}).body).toBe('{}');
    expect(request('list_notes', {})).toEqual({ method: 'GET', url: '/api/v1/ext/notes', headers: {}, body: undefined });
  });

  it('leaves an entity tag that is one already', () => {
    expect(request('update_note', { note_id: '1', if_match: '"7"' }).headers['if-match']).toBe('"7"');
    expect(request('update_note', { note_id: '1', if_match: '*' }).headers['if-match']).toBe('*');
  });

  it.each([[{}], [{ note_id: null }], [{ note_id: '' }]])('refuses a path without its identifier: %j', (args) => {
    expect(() => request('get_note', args)).toThrow('note_id is required');
  });

  it.each([['.'], ['..'], [{}], [['1']]])('lets no identifier lead to another route: %j', (note_id) => {
    expect(() => request('get_note', { note_id })).toThrow('note_id must be an identifier');
  });

  it('refuses what no header or URL can carry', () => {
    expect(() => request('create_note', { text: 'x', idempotency_key: 'a\r\nb: c' })).toThrow('printable ASCII');
    expect(() => request('get_note', { note_id: '\ud800' })).toThrow('well-formed Unicode');
  });

  it('refuses nesting that JSON.stringify cannot print', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(() => request('create_note', { text: 'x', custom_fields: deep })).toThrow('nested too deeply');
  });
});
