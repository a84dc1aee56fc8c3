import { describe, expect, it } from '@jest/globals';
import { outlineOf, structureOf } from './output-schema.js';

describe('structureOf', () => {
  it('keeps names, types and enums of the fields of an object and of its list items', () => {
    const project = {
      type: 'object',
      description: 'The project.',
      properties: { id: { type: 'string', format: 'uuid' } },
      required: ['id'],
    };
    expect(
      structureOf({
        type: 'object',
        description: 'A task.',
        properties: {
          object: { type: 'string', enum: ['task'] },
          title: { type: 'string', minLength: 1, pattern: '\\S', description: 'In one line.' },
          state: { type: 'string', enum: ['open', 'done'], description: 'Its state.' },
          description: { type: ['string', 'null'], maxLength: 100 },
          project,
          rows: {
            type: 'array',
            items: { type: 'object', properties: { project, names: { type: 'array', items: { type: 'string', maxLength: 5 } } } },
          },
          parent: { anyOf: [project, { type: 'null' }] },
          anything: { description: 'Any value.' },
        },
        required: ['title', 'state'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        object: { const: 'task' },
        title: { type: 'string' },
        state: { enum: ['open', 'done'] },
        description: { type: ['string', 'null'] },
        project: { type: 'object' },
        rows: {
          type: 'array',
          items: { type: 'object', properties: { project: { type: 'object' }, names: { type: 'array', items: { type: 'string' } } } },
        },
        parent: { type: ['object', 'null'] },
        anything: {},
      },
    });
  });
});

describe('outlineOf', () => {
  it('has the names of fields and of those of the items of a page, without what every record has', () => {
    const record = { type: 'object', properties: { created_at: { type: 'string' }, state: { enum: ['a'] }, lines: { type: 'array' } } };
    const outline = { type: 'object', properties: { state: {}, lines: {} } };
    expect(outlineOf(record)).toEqual(outline);
    const page = { type: 'object', properties: { data: { type: 'array', items: record } } };
    expect(outlineOf(page)).toEqual({ type: 'object', properties: { data: { type: 'array', items: outline } } });
  });
});
