import { describe, expect, it } from '@jest/globals';
import { listedOutput, structureOf } from './output-schema.js';

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

describe('listedOutput', () => {
  it('has the types of fields, and of the summary of the items of a page, without what every record has', () => {
    const lines = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' }, kind: { enum: ['a', null] } } } };
    const record = { type: 'object', properties: { created_at: { type: 'string' }, state: { const: 'a' }, lines } };
    const listed = { ...lines, items: { ...lines.items, properties: { id: { type: 'string' }, kind: { type: ['string', 'null'] } } } };
    expect(listedOutput(record)).toEqual({ type: 'object', properties: { state: { type: 'string' }, lines: listed } });
    const page = { type: 'object', properties: { data: { type: 'array', items: record }, has_more: { type: 'boolean' } } };
    const pageOf = (properties: object) => ({
      type: 'object',
      properties: { data: { type: 'array', items: { type: 'object', properties } }, has_more: { type: 'boolean' } },
    });
    expect(listedOutput(page)).toEqual(pageOf({ state: { type: 'string' }, lines: listed }));
    expect(listedOutput(page, ['state', 'created_at'])).toEqual(pageOf({ state: { type: 'string' } }));
  });
});
