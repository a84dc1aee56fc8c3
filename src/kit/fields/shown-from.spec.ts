import { expect, test } from '@jest/globals';
import { bothOf, Field, ResourceDto, shownOf } from './fields.js';
import { shownFrom } from './shown-from.js';

class CreateNoteDto {
  @Field.string({ 
description: 'Title.', example: 'Milk' })
  title: string;

  @Field.dateTime({ 
description: 'When.', example: '2026-11-21T09:30:00.000Z', required: false, nullable: true })
  remind_at?: string | null;
}

class NoteDto extends bothOf(ResourceDto, shownOf(CreateNoteDto, { title: true, remind_at: true })) {
  @Field.constant('note')
  object: string;

  @Field.string({ 
description: 'URL.', example: '/n/1' })
  url: string;

  @Field.string({ 
description: 'Only with expand.', example: 'x', required: false })
  expanded?: string;
}

const ROW = {
  id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  version: 3,
  created_at: new Date('2026-11-21T09:30:00Z'),
  updated_at: new Date('2026-11-22T09:30:00Z'),
  title: 'Milk',
  remind_at: null,
  organization_id: 'secret',
};

test('a response has the columns of its fields, its constant and what is computed, and nothing else', () => {
  expect(shownFrom(NoteDto, ROW, { url: '/n/1' })).toStrictEqual({
    object: 'note',
    id: ROW.id,
    version: 3,
    created_at: '2026-11-21T09:30:00.000Z',
    updated_at: '2026-11-22T09:30:00.000Z',
    title: 'Milk',
    remind_at: null,
    url: '/n/1',
  });
});

test('what is computed wins over the column', () => {
  const row = { ...ROW, remind_at: new Date(0), url: '/old' };
  expect(shownFrom(NoteDto, row, { title: 'Bread', url: '/n/2' })).toMatchObject({
    title: 'Bread',
    remind_at: '1970-01-01T00:00:00.000Z',
    url: '/n/2',
  });
});

test('a row without a field does not compile', () => {
  const { title: _, ...untitled } = ROW;
  // @ts-expect-error title is missing
  expect(shownFrom(NoteDto, untitled, { url: '/n/1' })).not.toHaveProperty('title');
});
