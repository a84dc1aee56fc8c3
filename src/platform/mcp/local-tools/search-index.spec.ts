import { describe, expect, it } from '@jest/globals';
import { fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import { Vocabulary } from '../text/vocabulary.js';
import { overviewOf, SearchIndex } from './search-index.js';
import { buildCatalog } from '../catalog/tool-catalog.js';

describe('SearchIndex', () => {
  const { tools } = buildCatalog(fixtureDocument);
  const index = new SearchIndex(tools, new Vocabulary([{ search: { label: 'tag' } }]));
  const names = (query: string, limit = 3): string[] => index.search(query, new Set(tools), limit).map(({ name }) => name);

  it.each([
    ['delete a note', 'delete_note'],
    ['labels csv', 'export_labels'],
    ['MAIL', 'mail_labels'],
    ['export tags', 'export_labels'],
    ['exort lebels', 'export_labels'],
    ['delte noet', 'delete_note'],
    ['mial', 'mail_labels'],
    ['remvoe a ntoe', 'delete_note'],
    ['export labls', 'export_labels'],
    ['exprot tgas', 'export_labels'],
  ])('for "%s" finds %s first', (query, expected) => {
    expect(names(query)[0]).toBe(expected);
  });

  it.each(['finish a note', 'note', 'close note', 'archive notes'])('for "%s" puts no destructive tool first', (query) => {
    expect(names(query)[0]).not.toBe('delete_note');
  });

  it('applies the words of a module to its tools only, and phrases as a whole', () => {
    const words = { module: 'labels', search: { mail_label: 'send_off', label: 'sticker' } };
    const ofLabels = new SearchIndex(tools, new Vocabulary([words, { module: 'notes', search: { note: 'sticker jotting' } }]));
    const found = (query: string) => ofLabels.search(query, new Set(tools), 20);
    expect(found('sends off')[0]?.name).toBe('mail_labels');
    expect(found('send all of them off')[0]?.name).toBe('mail_labels');
    expect(found('off')).toEqual([]);
    expect(new Set(found('jotting').map(({ module }) => module))).toEqual(new Set(['notes']));
    expect(new Set(found('sticker').map(({ module }) => module))).toEqual(new Set(['notes', 'labels']));
  });

  it('has an overview for queries that match nothing', () => {
    expect(overviewOf(tools, 2).map(({ name }) => name)).toEqual(['list_notes', 'list_labels']);
  });

  it('matches the forms of a word and synonyms of general verbs', () => {
    for (const query of ['renaming a note', 'edited notes', 'changes note']) expect(names(query)[0]).toBe('update_note');
    expect(names('removing notes')[0]).toBe('delete_note');
  });

  it('respects the limit and finds nothing for unknown words', () => {
    expect(names('note', 2)).toHaveLength(2);
    expect(names('zebra')).toEqual([]);
    expect(names('!!')).toEqual([]);
  });
});
