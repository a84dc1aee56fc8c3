import { describe, expect, it } from '@jest/globals';
import { recordsIn, recordTree } from '../catalog/record-tree.js';
import { answerOf, keysIn, projectsIn } from './answer.js';

const task = (title: string) => ({
  object: 'task',
  id: '1',
  project_id: 'p1',
  key: 'ENG-1',
  title,
  description: null,
  status_group: 'started',
  label_ids: [],
  totals: { gross_amount: 100, net_amount: 80 },
  version: 1,
  created_at: '2026-11-22T00:00:00.000Z',
});
const page = (...data: object[]) => ({ object: 'list', data, has_more: false, next_cursor: null });
const shown = (...data: object[]) => ({ object: 'list', data, has_more: false });
const ofTasks = recordTree({ properties: { data: { items: { properties: { project_id: {} } } } } });
const projectKeys = (id: string) => (id === 'p1' ? 'ENG' : undefined);

describe('answerOf', () => {
  it('shows the summary of list items, whole texts, no member without a value, and the key of the project', () => {
    const title = 'x'.repeat(5_000);
    const summary = ['id', 'title', 'description', 'totals.gross_amount'];
    expect(answerOf(page(task(title)), { summary, projectKeys, records: ofTasks })).toEqual(
      shown({ id: '1', title, totals: { gross_amount: 100 }, project_key: 'ENG' }),
    );
  });

  it('goes without the members for short pages where rows are long, and says so', () => {
    const summary = ['id', 'title', 'key?', 'totals.gross_amount?'];
    const short = { id: '1', title: 'Send', key: 'ENG-1', totals: { gross_amount: 100 } };
    expect(answerOf(page(task('Send')), { summary })).toEqual(shown(short));
    const title = 'x'.repeat(200);
    const rows = (count: number) => page(...Array<object>(count).fill(task(title)));
    expect(answerOf(rows(20), { summary }).data).toContainEqual({ ...short, title });
    const long = answerOf(rows(50), { summary });
    const message = 'Name members in fields to read them in full.';
    expect(long).toEqual({ ...shown(...Array<object>(50).fill({ id: '1', title })), omitted: ['key', 'totals'], message });
  });

  it('shortens the longest texts of a long page, and says so', () => {
    const row = {
      number: 'T-1',
      subject: 'Größe 🙂 '.repeat(30),
      body: 'The chair is broken. '.repeat(450),
      sku: 'S'.repeat(80),
      tags: ['x'],
    };
    const options = { summary: ['number', 'subject', 'body', 'sku', 'tags'], texts: new Set(['subject', 'body']) };
    const answer = answerOf(page(...Array<object>(25).fill(row)), options) as { data: (typeof row)[]; shortened: string[] };
    const [{ subject, body, ...others }] = answer.data;
    expect(others).toEqual({ number: 'T-1', sku: row.sku, tags: ['x'] });
    expect([answer.shortened, subject.length, body.length]).toEqual([['subject', 'body'], expect.any(Number), expect.any(Number)]);
    for (const [text, whole] of [
      [subject, row.subject],
      [body, row.body],
    ]) {
      expect(whole.startsWith(text.slice(0, -1))).toBe(true);
      expect([text.at(-1), text.isWellFormed(), text.length >= 20 && text.length < 200]).toEqual(['…', true, true]);
    }
    const bytes = Buffer.byteLength(JSON.stringify(answer)) + Buffer.byteLength(JSON.stringify(JSON.stringify(answer)));
    expect([bytes <= 12 * 1024, bytes > 11 * 1024]).toEqual([true, true]);
    const named = answerOf(page(...Array<object>(25).fill(row)), { ...options, fields: ['body'] });
    expect(named).toEqual(shown(...Array<object>(25).fill({ body: row.body })));
  });

  it('leaves out what takes most of a page that no shorter texts make short enough', () => {
    const row = { title: 'Send the invoice', labels: Array<string>(20).fill('important'), due_on: '2027-03-01' };
    const answer = answerOf(page(...Array<object>(25).fill(row)), { summary: Object.keys(row), texts: new Set(['title', 'labels']) });
    const message = 'Name members in fields to read them in full.';
    const { labels: _, ...left } = row;
    expect(answer).toEqual({ ...shown(...Array<object>(25).fill(left)), omitted: ['labels'], message });
  });

  it('shows the address of somebody without a name', () => {
    const summary = ['requester.name'];
    expect(answerOf(page({ requester: { name: 'Mei', email: 'mei@x.example' } }), { summary })).toEqual(
      shown({ requester: { name: 'Mei' } }),
    );
    const unnamed = { requester: { name: null, email: 'mei@x.example' } };
    expect(answerOf(page(unnamed), { summary })).toEqual(shown({ requester: { email: 'mei@x.example' } }));
  });

  it('shows an id in place of a name that the row does not have', () => {
    const row = { id: '1', employee_id: 'e1', leave_type_id: null, leave_type_name: null };
    const summary = ['id', 'employee_name', 'leave_type_name'];
    expect(answerOf(page(row), { summary })).toEqual(shown({ id: '1', employee_id: 'e1' }));
    expect(answerOf(page({ ...row, employee_name: 'Mei' }), { summary })).toEqual(shown({ id: '1', employee_name: 'Mei' }));
  });

  it('shows items of a resource without a summary without bookkeeping members', () => {
    const { object, version, created_at, description, label_ids, ...rest } = task('Send');
    expect(answerOf(page(task('Send')), { summary: [] })).toEqual(shown(rest));
  });

  it('shows items that were written whole', () => {
    const { description, label_ids, ...written } = task('Send');
    expect(answerOf(page(task('Send')), {})).toEqual(shown(written));
  });

  it('returns exactly the members that fields names, and id', () => {
    const fields = ['version', 'description'];
    expect(answerOf(page(task('Send')), { fields, projectKeys })).toEqual(shown({ id: '1', description: null, version: 1 }));
    expect(answerOf(task('Send'), { fields: ['title'] })).toEqual({ id: '1', title: 'Send' });
    expect(answerOf(page(task('Send')), { fields: ['*'], projectKeys, records: ofTasks })).toEqual(
      shown({ ...task('Send'), project_key: 'ENG' }),
    );
  });

  it('returns a record without the members that have no value, at any depth, and keeps the places of an array', () => {
    const body = { id: '1', version: 1, due_on: null, labels: [], lines: [{ a: null }, { a: 0 }], party: { name: null }, ok: false };
    expect(answerOf(body, {})).toEqual({ id: '1', version: 1, lines: [{}, { a: 0 }], ok: false });
  });

  it('finds the authors that are keys, whose names stand for the address that they lack', () => {
    const key = { type: 'api_key', id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61', email: null };
    const person = { type: 'user', id: '2', email: 'ada@example.com' };
    const comments = page({ id: '1', author: key }, { id: '2', author: person }, { id: '3', metadata: { ...key, id: 'x' } });
    const records = recordTree({ properties: { data: { items: { properties: { author: {}, metadata: {} } } } } });
    expect(keysIn(recordsIn(comments, records))).toEqual([key]);
    keysIn(recordsIn(comments, records))[0]!['name'] = 'Importer';
    expect(answerOf(comments, { summary: ['id', 'author.type', 'author.email'] })).toMatchObject({
      data: [{ author: { type: 'api_key', name: 'Importer' } }, { author: { type: 'user', email: 'ada@example.com' } }, { id: '3' }],
    });
  });

  it('says that a collection which answers the question is empty', () => {
    expect(answerOf({ object: 'analysis', id: '1', risks: [], note: null }, {})).toEqual({ object: 'analysis', id: '1', risks: [] });
  });

  it('gives records the keys of their projects wherever the API declares them, and reads none of metadata', () => {
    const row = { properties: { project_id: {}, metadata: {} } };
    const section = { properties: { data: { type: 'array', items: row }, has_more: {} } };
    const records = recordTree({ properties: { ...row.properties, statuses: section, deal: { anyOf: [row, { type: 'null' }] } } });
    const rows = { data: [{ id: 's', project_id: 'p1', color: null }], has_more: false };
    const body = { object: 'context', project_id: 'p2', metadata: { project_id: 'p3' }, statuses: rows, deal: { project_id: 'p1' } };
    expect(projectsIn(recordsIn(body, records))).toEqual(['p2', 'p1']);
    expect(answerOf(body, { projectKeys, records })).toEqual({
      ...body,
      statuses: { data: [{ id: 's', project_id: 'p1', project_key: 'ENG' }], has_more: false },
      deal: { project_id: 'p1', project_key: 'ENG' },
    });
    expect(answerOf(task('Send'), { projectKeys, records })).toMatchObject({ project_id: 'p1', project_key: 'ENG' });
  });
});
